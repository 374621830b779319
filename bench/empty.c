/* The shortest program there is: what a loader costs when the program itself costs nothing. */
int main(void)
{
	return 0;
}
