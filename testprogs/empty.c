/* empty: does nothing at all. What it costs to start a program is what it costs to run this. */
int main(void)
{
	return 0;
}
