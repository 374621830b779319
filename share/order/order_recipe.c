#include "share/order/order.h"

#include <string.h>

/* Each is the word, and then the recipe. */
static const char recipes[] =
    "lld\0"
    "pagewise order export --format=lld --program=PROGRAM -o ORDER.lld ORDER\n"
    "cc -ffunction-sections -fuse-ld=lld -Wl,--symbol-ordering-file=ORDER.lld ...\n"
    "# lld warns of a function that a shared library has as well, and orders it\0"
    "gold\0"
    "pagewise order export --format=gold --program=PROGRAM -o ORDER.gold ORDER\n"
    "cc -ffunction-sections -fuse-ld=gold -Wl,--section-ordering-file=ORDER.gold ...\0"
    "ld\0"
    "pagewise order export --format=ld --program=PROGRAM -o ORDER.ld ORDER\n"
    "cc -ffunction-sections -Wl,--section-ordering-file=ORDER.ld ...    # GNU ld 2.43\0"
    "bolt\0"
    "cc -fno-reorder-blocks-and-partition -Wl,--emit-relocs -o PROGRAM ...\n"
    "pagewise run --order=ORDER ./PROGRAM\n"
    "pagewise order export --format=bolt -o ORDER.bolt ORDER\n"
    "llvm-bolt PROGRAM -o NEW --reorder-functions=user --function-order=ORDER.bolt\0"
    "rust\0"
    "pagewise order export --format=lld --program=target/release/PROGRAM -o ORDER.lld ORDER\n"
    "RUSTFLAGS=\"-Clink-arg=-fuse-ld=lld -Clink-arg=-Wl,--symbol-ordering-file=$PWD/ORDER.lld\" "
    "cargo build --release\n"
    "# with strip = false in the profile: the names are wanted\0"
    "zig\0"
    "zig build-obj -O ReleaseFast -fno-strip -ffunction-sections -fcompiler-rt main.zig\n"
    "zig ld.lld --gc-sections -o PROGRAM main.o\n"
    "pagewise run --order=ORDER ./PROGRAM\n"
    "pagewise order export --format=lld --program=PROGRAM -o ORDER.lld ORDER\n"
    "zig ld.lld --gc-sections --symbol-ordering-file=ORDER.lld -o PROGRAM main.o\n"
    "# zig build-exe and zig cc take no such option\0"
    "cmake\0"
    "add_compile_options(-ffunction-sections)\n"
    "target_link_options(PROGRAM PRIVATE -fuse-ld=lld\n"
    "  -Wl,--symbol-ordering-file=${CMAKE_SOURCE_DIR}/ORDER.lld)\0"
    "meson\0"
    "executable('PROGRAM', sources, c_args: '-ffunction-sections',\n"
    "  link_args: ['-fuse-ld=lld', '-Wl,--symbol-ordering-file=' + meson.current_source_dir() / "
    "'ORDER.lld'])\0";

bool order_recipe(const char *what, FILE *out, struct error *error)
{
	const char *word = recipes;

	while (word < recipes + sizeof(recipes) - 1) {
		const char *recipe = word + strlen(word) + 1;

		if (strcmp(word, what) == 0) {
			fprintf(out, "%s\n", recipe);
			return true;
		}
		word = recipe + strlen(recipe) + 1;
	}
	return error_set(error, EXIT_OURS, "there is no recipe for %.64s; there are " ORDER_RECIPES,
			 what);
}
