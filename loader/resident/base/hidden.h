/*
 * The compiler's command line includes this before every resident source. A symbol that is declared
 * after this and defined elsewhere is resident, too. So the compiler may address it directly,
 * without a global offset table, which would hold absolute addresses.
 */
#pragma GCC visibility push(hidden)
