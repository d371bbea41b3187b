/** What the window and its rendering worker post to each other. */
import type { CodePart } from './highlight-code.ts'
import type { DiagramColours } from './render-diagram.ts'
import type { MathNode } from './render-formula.ts'

export type RenderingTask =
  | { kind: 'code'; code: string; language: string }
  | { kind: 'formula'; tex: string; isDisplay: boolean }
  | { kind: 'diagram'; source: string; colours: DiagramColours }

/** A diagram is the text of an SVG image. Null when it stays as it was written: an unknown language, or no valid TeX. */
export type Rendered = readonly CodePart[] | MathNode | string | null

export interface RenderingRequest {
  id: number
  task: RenderingTask
}

export interface RenderingAnswer {
  id: number
  result: Rendered
}
