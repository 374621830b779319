#include <iostream>
#include <vector>
namespace
{
int __attribute__((noinline)) hid(int x)
{
	return x + 2;
}
} // namespace
struct S {
	S();
	virtual ~S();
	int v;
};
S::S() : v(hid(3))
{
}
S::~S()
{
}
static S global;
template <class T> T __attribute__((noinline)) tw(T x)
{
	return x * 2;
}
int main()
{
	std::vector<int> v{1, 2};
	std::cout << tw(v[0]) << tw(2.5) << "\n";
	try {
		throw 3;
	} catch (int i) {
		std::cout << i;
	}
}
