const std = @import("std");
noinline fn helper(x: u64) u64 { return x *% 31 +% 7; }
pub fn main() !void { var s: u64 = 1; var i: u64 = 0; while (i < 10) : (i += 1) s = helper(s); try std.io.getStdOut().writer().print("{d}\n", .{s}); }
