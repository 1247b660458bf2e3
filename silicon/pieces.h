/* SPDX-License-Identifier: Apache-2.0 */
/* Straight code by its size, of 16-byte instructions: 4, 16 and 64 FMAs of x, y, z and w with b and c, and KB of them; and the pieces of code
 * that jumps: 8 FMAs, and a branch over what nobody executes, so many of them. */
#ifndef PIECES_H
#define PIECES_H

#define FMA(x) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(b), "f"(c));
#define I4 FMA(x) FMA(y) FMA(z) FMA(w)
#define I16 I4 I4 I4 I4
#define I64 I16 I16 I16 I16
#define K4 I64 I64 I64 I64
#define K16 K4 K4 K4 K4
#define K64 K16 K16 K16 K16
#define K256 K64 K64 K64 K64

#define PIECE(over)                                                                                          \
    I4 I4 if (x == bad)                                                                                      \
    {                                                                                                        \
        over                                                                                                 \
    }
#define P4(over) PIECE(over) PIECE(over) PIECE(over) PIECE(over)
#define P16(over) P4(over) P4(over) P4(over) P4(over)
#define P64(over) P16(over) P16(over) P16(over) P16(over)
#define P256(over) P64(over) P64(over) P64(over) P64(over)

#endif
