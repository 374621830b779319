/*
 * Put before every resident source by the compiler's command line. What is declared here and
 * defined elsewhere is resident, too: the compiler may address it directly, without a global
 * offset table, which would hold absolute addresses.
 */
#pragma GCC visibility push(hidden)
