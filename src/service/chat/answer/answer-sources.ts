/** The web pages that an answer cites, and where. The wires of all vendors give them as OpenAI's annotations. */
import type { ChunkChoice } from '../../../shared/chat/chat.ts'
import type { Citation, ConversationMessage } from '../../../shared/chat/conversations.ts'
import type { MessageDetail } from '../../../shared/chat/imports.ts'
import { countOf, fieldsOf, listOf, stringOf } from '../../json-fields.ts'

/** More than a person reads, and a bound for an answer that lists addresses without end. */
const mostSources = 100
const mostCitations = 500
const longestAddress = 4000
const longestTitle = 300

type Cited = Pick<ConversationMessage, 'sources' | 'citations'>

/**
 * The sources and their places so far, with those of the next delta that are new.
 * @param begins  characters of the answer before the text that the annotations count in
 */
export function withSources(known: Cited, choices: readonly ChunkChoice[], begins: number): Cited {
  const found = choices.flatMap(({ delta }) => listOf(delta['annotations']).flatMap(sourceOf))
  if (found.length === 0) return known
  const byAddress = new Map(known.sources.map((source) => [source.text, source]))
  for (const { source } of found) {
    if (!byAddress.has(source.text)) byAddress.set(source.text, source)
  }
  const sources = [...byAddress.values()].slice(0, mostSources)
  const places = found.flatMap(({ source, end }) => {
    const index = sources.findIndex(({ text }) => text === source.text)
    return end === null || index < 0 ? [] : [{ source: index, at: begins + end }]
  })
  return { sources, citations: withPlaces(known.citations, places) }
}

/** Each place of a source once. */
function withPlaces(known: readonly Citation[], places: readonly Citation[]): Citation[] {
  const byPlace = new Map([...known, ...places].map((one) => [`${one.source} ${one.at}`, one]))
  return [...byPlace.values()].slice(0, mostCitations)
}

/** Nothing for other kinds of annotations, and for addresses that a browser does not open. */
function sourceOf(annotation: unknown): { source: MessageDetail; end: number | null }[] {
  const { type, url_citation: citation } = fieldsOf(annotation)
  const { url, title, start_index: start, end_index: end } = fieldsOf(citation)
  const address = stringOf(url) ?? ''
  const isPage = /^https?:\/\//i.test(address) && address.length <= longestAddress
  if (type !== 'url_citation' || !isPage) return []
  const name = (stringOf(title) ?? '').slice(0, longestTitle)
  return [{ source: { kind: 'source', title: name, text: address }, end: endOf(start, end) }]
}

/** @returns null without a cited text: some wires say 0 to 0, or the answer's end twice, where no place is known */
function endOf(start: unknown, end: unknown): number | null {
  const [from, to] = [countOf(start), countOf(end)]
  return from === null || to === null || from >= to ? null : to
}
