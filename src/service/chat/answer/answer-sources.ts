/** The web pages that an answer cites. The wires of all vendors give them as OpenAI's annotations. */
import type { ChunkChoice } from '../../../shared/chat/chat.ts'
import type { MessageDetail } from '../../../shared/chat/imports.ts'
import { fieldsOf, listOf, stringOf } from '../../json-fields.ts'

/** More than a person reads, and a bound for an answer that lists addresses without end. */
const mostSources = 100
const longestAddress = 4000
const longestTitle = 300

/** The sources so far, with those of the next delta that are new. */
export function withSources(
  known: readonly MessageDetail[],
  choices: readonly ChunkChoice[],
): readonly MessageDetail[] {
  const found = choices.flatMap(({ delta }) => listOf(delta['annotations']).flatMap(sourceOf))
  if (found.length === 0) return known
  const byAddress = new Map(known.map((source) => [source.text, source]))
  for (const source of found) {
    if (!byAddress.has(source.text)) byAddress.set(source.text, source)
  }
  return [...byAddress.values()].slice(0, mostSources)
}

/** Nothing for other kinds of annotations, and for addresses that a browser does not open. */
function sourceOf(annotation: unknown): MessageDetail[] {
  const { type, url_citation: citation } = fieldsOf(annotation)
  const { url, title } = fieldsOf(citation)
  const address = stringOf(url) ?? ''
  const isPage = /^https?:\/\//i.test(address) && address.length <= longestAddress
  if (type !== 'url_citation' || !isPage) return []
  return [{ kind: 'source', title: (stringOf(title) ?? '').slice(0, longestTitle), text: address }]
}
