/**
 * Draws a mermaid diagram as the text of an SVG image. Runs in a thread of its own. The window shows the image from a blob, where
 * no script runs and nothing is loaded; what could load something is left out here as well.
 */
import { renderMermaid } from 'beautiful-mermaid'

/** CSS colours of the background and of the text. */
export interface DiagramColours {
  bg: string
  fg: string
}

/** The library's own lines and small texts are too faint to read. */
const strongerMixes = {
  line: 'color-mix(in srgb, var(--fg) 60%, var(--bg))',
  border: 'color-mix(in srgb, var(--fg) 45%, var(--bg))',
  muted: 'color-mix(in srgb, var(--fg) 80%, var(--bg))',
}

/** A longer source takes seconds to lay out. */
const mostCharacters = 10_000
/** Of one side, in pixels: a wider image cannot be read, and takes memory without end. */
const mostPixels = 8000
const mostSvgCharacters = 2_000_000

/** @returns null for kinds that cannot be drawn, for what is no diagram, and for one that is too large */
export async function renderDiagram(
  source: string,
  colours: DiagramColours,
): Promise<string | null> {
  if (source.length > mostCharacters) return null
  try {
    const options = { ...colours, ...strongerMixes, font: 'system-ui' }
    const svg = withoutLoading(await renderMermaid(inPlainForm(source), options))
    return isShowable(svg) ? svg : null
  } catch {
    return null
  }
}

/** The same diagram in the forms that the library reads, which knows fewer than mermaid and draws others wrongly. */
function inPlainForm(source: string): string {
  const whole = source
    .replace(/^\s*---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/^\s*(?:%%|click\s|linkStyle\s|acc(?:Title|Descr)\s*:).*$/gm, '')
    .replaceAll(/<br\s*\/?>/gi, ' ')
    .trim()
  if (!/^(?:graph|flowchart|stateDiagram)/.test(whole)) return whole
  // One statement a line, labels behind their arrows, and spaces before arrows.
  return whole
    .replaceAll(/"[^"\n]*"|;/g, (part) => (part === ';' ? '\n' : part))
    .replaceAll(/(?<![-<])--(?![->])[ \t]*([^-|>"\n]+?)[ \t]*-->/g, ' -->|$1|')
    .replaceAll(/(?<![=<])==(?![=>])[ \t]*([^=|>"\n]+?)[ \t]*==>/g, ' ==>|$1|')
    .replaceAll(/(?<=[\w\])}])(?=(?:-->|---|-\.->|==>)(?!-))/g, ' ')
}

/** Fonts of other servers, and addresses in colours. Labels in quotation marks lose them. */
function withoutLoading(svg: string): string {
  return svg
    .replaceAll(/@import[^;]*(?:;[^;'"]*'\s*\))?;?/g, '')
    .replaceAll(/url\((?!#)[^)]*\)?/gi, 'none')
    .replaceAll(/>&quot;(.*?)&quot;<\/text>/g, '>$1</text>')
}

function isShowable(svg: string): boolean {
  const [, width, height] = /<svg [^>]*width="([^"]+)" height="([^"]+)"/.exec(svg) ?? []
  const sides = [Number(width), Number(height)]
  return svg.length <= mostSvgCharacters && sides.every((side) => side > 0 && side <= mostPixels)
}
