/** Finds the part of an answer that states the result: most models explain first and conclude at the end. */

/** "Answer" and "result" in the languages of the starter set. */
const nouns =
  'answer|result|correct option|correct choice|correct statement|antwort|ergebnis|lösung|réponse|résultat|respuesta|resultado|答案|结果'
const verbs = String.raw`\b(?:is|are|equals|ist|lautet|beträgt|est|es)\b|[:：=是为]`
const marker = new RegExp(`(?:${nouns})[^.:：=是为\\n]{0,60}?(?:${verbs})`, 'giu')

const fence = /^ {0,3}(?:```|~~~)/

/** A fenced code block of an answer. */
interface CodeBlock {
  /** Language in lower case; empty if the block names none. */
  language: string
  text: string
}

/** The texts that follow "the answer is", "Antwort:" and the like, to the end of their line, in order. */
export function statedAnswers(text: string): string[] {
  return [...text.matchAll(marker)]
    .map((match) => firstLine(text.slice(match.index + match[0].length)))
    .filter((rest) => rest !== '')
}

/** The text on the same line, or the next line with text: headings such as "**Answer:**" stand alone. */
function firstLine(text: string): string {
  const lines = text.split('\n', 6).map((line) => line.replace(/^[\s*_>#:]+/, '').trim())
  return lines.find((line) => line !== '') ?? ''
}

/** The content of the last `\boxed{…}`, or null. */
export function boxedAnswer(text: string): string | null {
  const opening = String.raw`\boxed{`
  const at = text.lastIndexOf(opening)
  if (at === -1) return null
  const start = at + opening.length
  let depth = 1
  for (let place = start; place < text.length; place++) {
    if (text[place] === '{') depth++
    if (text[place] === '}') depth--
    if (depth === 0) return text.slice(start, place)
  }
  return null
}

/** The contents of `**…**`, in order. */
export function boldTexts(text: string): string[] {
  return [...text.matchAll(/\*\*([^*\n]{1,200})\*\*/g)].map(([, inner = '']) => inner.trim())
}

/** The fenced code blocks, in order. A block without an end runs to the end of the answer. */
export function codeBlocks(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let lines: string[] | null = null
  let language = ''
  const close = (): void => {
    if (lines !== null) blocks.push({ language, text: lines.join('\n') })
    lines = null
  }
  for (const line of text.split('\n')) {
    if (!fence.test(line)) lines?.push(line)
    else if (lines !== null) close()
    else {
      lines = []
      language = line.replace(fence, '').trim().toLowerCase()
    }
  }
  close()
  return blocks
}
