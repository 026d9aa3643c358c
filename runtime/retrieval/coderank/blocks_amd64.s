//go:build !purego

#include "textflag.h"

// The numbers that the bytes are held against: bit 5, the low half of a byte, the
// letters a to z and the digits 0 to 9 with their neighbours, the underscore.
DATA limits<>+0(SB)/8, $0x5f3a2f7b60000f20
GLOBL limits<>(SB), RODATA|NOPTR, $8

// HALF reads the 32 bytes at off: into R8 the letters, R9 the digits, R10 bit 5, R11
// the underscores, R12 what the sieve holds back.
#define HALF(off) \
	VMOVDQU off(SI), Y0 \
	VPOR Y15, Y0, Y1 \
	VPCMPGTB Y12, Y1, Y2 \
	VPCMPGTB Y1, Y11, Y3 \
	VPAND Y2, Y3, Y2 \
	VPMOVMSKB Y2, R8 \
	VPCMPGTB Y10, Y0, Y2 \
	VPCMPGTB Y0, Y9, Y3 \
	VPAND Y2, Y3, Y2 \
	VPMOVMSKB Y2, R9 \
	VPSLLW $2, Y0, Y2 \
	VPMOVMSKB Y2, R10 \
	VPCMPEQB Y8, Y0, Y2 \
	VPMOVMSKB Y2, R11 \
	NIBBLES(0, 16) \
	VMOVDQA Y2, Y4 \
	VMOVDQU off+1(SI), Y1 \
	VPOR Y15, Y1, Y1 \
	NIBBLES(32, 48) \
	VPAND Y2, Y4, Y4 \
	VMOVDQU off+2(SI), Y1 \
	VPOR Y15, Y1, Y1 \
	NIBBLES(64, 80) \
	VPAND Y2, Y4, Y4 \
	VPCMPEQB Y13, Y4, Y4 \
	VPMOVMSKB Y4, R12

// NIBBLES looks up the two halves of each byte of Y1 in the tables at lo and hi.
#define NIBBLES(lo, hi) \
	VBROADCASTI128 lo(DX), Y5 \
	VBROADCASTI128 hi(DX), Y6 \
	VPAND Y14, Y1, Y2 \
	VPSHUFB Y2, Y5, Y5 \
	VPSRLW $4, Y1, Y2 \
	VPAND Y14, Y2, Y2 \
	VPSHUFB Y2, Y6, Y6 \
	VPAND Y5, Y6, Y2

// JOIN puts the upper 32 bits of a mask to the lower ones, which are kept in out.
#define JOIN(reg, at) \
	SHLQ $32, reg \
	ORQ reg, at(DI)

// func siftBlock(b *byte, s *sieve, out *classed)
TEXT ·siftBlock(SB), NOSPLIT, $0-24
	MOVQ b+0(FP), SI
	MOVQ s+8(FP), DX
	MOVQ out+16(FP), DI
	VPBROADCASTB limits<>+0(SB), Y15
	VPBROADCASTB limits<>+1(SB), Y14
	VPXOR Y13, Y13, Y13
	VPBROADCASTB limits<>+3(SB), Y12
	VPBROADCASTB limits<>+4(SB), Y11
	VPBROADCASTB limits<>+5(SB), Y10
	VPBROADCASTB limits<>+6(SB), Y9
	VPBROADCASTB limits<>+7(SB), Y8
	HALF(0)
	MOVQ R8, 0(DI)
	MOVQ R9, 8(DI)
	MOVQ R10, 16(DI)
	MOVQ R11, 24(DI)
	MOVQ R12, 32(DI)
	HALF(32)
	JOIN(R8, 0)
	JOIN(R9, 8)
	JOIN(R10, 16)
	JOIN(R11, 24)
	JOIN(R12, 32)
	VZEROUPPER
	RET

// func hasAVX2() bool
//
// It asks the processor, and whether the system keeps the wide registers.
TEXT ·hasAVX2(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	XORL AX, AX
	CPUID
	CMPL AX, $7
	JB   no
	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $0x18000000, CX // OSXSAVE and AVX
	CMPL CX, $0x18000000
	JNE  no
	XORL CX, CX
	XGETBV
	ANDL $6, AX
	CMPL AX, $6
	JNE  no
	MOVL $7, AX
	XORL CX, CX
	CPUID
	SHRL $5, BX
	ANDL $1, BX
	MOVB BX, ret+0(FP)
no:
	RET
