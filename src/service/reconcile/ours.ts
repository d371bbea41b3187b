/** The ledger's side of a comparison, in a form that costs little to send to another thread. */
import type { ModelSpan } from '../storage/storage.ts'

/** Requests, tokens and cost of models in short spans. */
export interface OurSpans {
  /** Model ids, by the index in `values`. */
  models: string[]
  /** `width` numbers for each span: its start, the model's index, then `figures`. */
  values: Float64Array
}

const figures = [
  'requests',
  'estimated',
  'fallbacks',
  'input',
  'cacheRead',
  'cacheWrite',
  'output',
  'reasoning',
  'costNanoUsd',
] as const satisfies readonly (keyof ModelSpan)[]

const width = figures.length + 2

export function packSpans(spans: readonly ModelSpan[]): OurSpans {
  const indexes = new Map<string, number>()
  const values = new Float64Array(spans.length * width)
  for (const [place, span] of spans.entries()) {
    const index = indexes.get(span.model) ?? indexes.size
    indexes.set(span.model, index)
    values.set([span.startMs, index, ...figures.map((name) => span[name])], place * width)
  }
  return { models: [...indexes.keys()], values }
}

export function* unpackSpans({ models, values }: OurSpans): Generator<ModelSpan> {
  for (let place = 0; place < values.length; place += width) {
    const at = (index: number) => values[place + index] ?? 0
    const [requests, estimated, fallbacks, input, cacheRead, cacheWrite, output, reasoning, cost] =
      figures.map((_name, index) => at(index + 2))
    yield {
      startMs: at(0),
      model: models[at(1)] ?? '',
      requests: requests ?? 0,
      estimated: estimated ?? 0,
      fallbacks: fallbacks ?? 0,
      input: input ?? 0,
      cacheRead: cacheRead ?? 0,
      cacheWrite: cacheWrite ?? 0,
      output: output ?? 0,
      reasoning: reasoning ?? 0,
      costNanoUsd: cost ?? 0,
    }
  }
}
