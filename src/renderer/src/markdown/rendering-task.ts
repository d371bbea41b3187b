/** What the window and its rendering worker post to each other. */
import type { CodePart } from './highlight-code.ts'
import type { MathNode } from './render-formula.ts'

export type RenderingTask =
  | { kind: 'code'; code: string; language: string }
  | { kind: 'formula'; tex: string; isDisplay: boolean }

/** Null when it stays as it was written: an unknown language, or no valid TeX. */
export type Rendered = readonly CodePart[] | MathNode | null

export interface RenderingRequest {
  id: number
  task: RenderingTask
}

export interface RenderingAnswer {
  id: number
  result: Rendered
}
