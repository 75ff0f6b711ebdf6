// SPDX-License-Identifier: MIT
// Names that a recording may hold and that must stay text in whatever shows them: as bytes, without
// newline, `;` and NUL, which end a name in every input.

const markup = [
	"</script>", "<script>alert(1)</script>", "</title><script>alert(1)</script>",
	"</style><script>alert(1)</script>", "</svg><script>alert(1)</script>",
	"]]>", "]]><script>alert(1)</script>", "<![CDATA[", "<!--", "-->", "--><script>alert(1)</script>",
	"<?xml version='1.0'?>", "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e",
	"<img src=x onerror=alert(1)>", "<img src='http://127.0.0.1:9/x'>",
	"<svg onload=alert(1)>", "<svg/onload=alert(1)//", "<iframe src=javascript:alert(1)>",
	"<a href='javascript:alert(1)'>", "<link rel=stylesheet href=//127.0.0.1:9/>",
	"<meta http-equiv=refresh content='0", "<base href='http://127.0.0.1:9/'>", "<body onload=alert(1)>",
	"<foreignObject><b>x</b></foreignObject>", "<use href='#frames'/>", "<set attributeName=x to=y/>",
	"<textarea>", "<plaintext>", "<template>", "<math><mi//xlink:href='data:x,<script>alert(1)</script>'>",
];
const quotes = [
	"\"", "'", "`", "\\", "\\\"", "\" onmouseover=\"alert(1)", "' onmouseover='alert(1)",
	"\"/><script>alert(1)</script>", "\");alert(1)//", "'-alert(1)-'", "${alert(1)}", "`+alert(1)+`",
	"{{constructor.constructor('alert(1)')()}}", "\\u003cscript\\u003e", "\\x3cscript\\x3e", "\\0", "\\",
	"&", "&lt", "&lt script&gt", "&#60script&#62", "&amp&quot", "&nosuch", "%3Cscript%3E", "%s%n%d",
	"javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "url(http://127.0.0.1:9/)",
	"expression(alert(1))", "__proto__", "constructor", "toString", "hasOwnProperty", "then",
];
const odd = [
	" ", "  two  blanks  ", "-", "--", "0", "-1", "1e400", "NaN", "null", "undefined", "[unknown]",
	"operator<<", "operator()", "std::vector<int, std::allocator<int>>::~vector()", "a->b", "(anonymous)",
	"f (1 samples, 100%)", "x (5 samples, 1.00%)", "samples, ", "$&$1", "(", "[", "*", "(a+)+$", "^$",
];
const bytes = [
	[0x1b, 0x5b, 0x33, 0x31, 0x6d], [0x1b, 0x5d, 0x30], [0x07], [0x08, 0x08], [0x01], [0x7f], [0x0b],
	[0x0c], [0x09], [0x0d], [0xff], [0xfe, 0xff], [0xc3, 0x28], [0xe2, 0x82], [0xf8, 0x88, 0x80, 0x80, 0x80],
	[0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf4, 0x90, 0x80, 0x80], [0xef, 0xbb, 0xbf], [0x61, 0x80, 0x62],
].map((list) => Buffer.from(list));
const unicode = [
	"\u202egnp.exe", "\u202d", "\u2066x\u2069", "\u200e", "\u200f", "\u2028", "\u2029", "\u0085", "\u00a0",
	"\u200b", "\ufeff", "\ufffe", "\uffff", "\ufffd", "\u{10ffff}", "\u{1f469}\u200d\u{1f4bb}", "e\u0301".repeat(40),
	"\u05d0\u05d1\u05d2", "\u0627\u0644\u0639", "\u6f22\u5b57".repeat(20), "\u{e0001}", "\u061c",
];

// As long as a line may be, less what else is in it.
const mebibyte = (1 << 20) - 100;

export const names = [...markup, ...quotes, ...odd, ...unicode].map((text) => Buffer.from(text))
	.concat(bytes, [Buffer.alloc(mebibyte, "x"), Buffer.alloc(mebibyte, "<"), Buffer.alloc(5000, 0xff)]);
