import type { ConversationMessage } from '../../../../shared/chat/conversations.ts'
import type { MessageDetail } from '../../../../shared/chat/imports.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { OutsideLink } from '../../components/outside-link.tsx'
import { noMarks, type SourceMark } from '../../markdown/source-marks.ts'

/** The web pages that an answer cites, folded; nothing without any. A link asks before it opens. */
export function Sources({ sources }: { sources: readonly MessageDetail[] }) {
  if (sources.length === 0) return null
  return (
    <details className="rounded-lg border border-line px-3 py-1.5 text-sm text-muted">
      <summary className="cursor-pointer text-xs font-medium">
        {t('{count, plural, one {# source} other {# sources}}', { count: sources.length })}
      </summary>
      <ol className="mt-2 flex list-decimal flex-col gap-1 pl-6 text-xs">
        {sources.map(({ title, text: address }, at) => {
          const host = hostOf(address) ?? address
          const words = title === '' ? host : title
          return (
            <li key={at} className="wrap-anywhere">
              {/^https:/i.test(address) ? (
                <OutsideLink address={address}>{words}</OutsideLink>
              ) : (
                words
              )}
              {title !== '' && <span> · {host}</span>}
            </li>
          )
        })}
      </ol>
    </details>
  )
}

/** Those of the answer, and those that came with an imported one. */
export function sourcesOf({
  sources,
  imported,
}: Pick<ConversationMessage, 'sources' | 'imported'>): MessageDetail[] {
  return [...sources, ...(imported?.details ?? []).filter(isPage)]
}

/** The number of each source, as in the list, where the answer cites it. */
export function marksOf(message: ConversationMessage): readonly SourceMark[] {
  const { sources, citations, text } = message
  const marks = citations.flatMap(({ source, at }) => {
    const page = sources[source]
    return page === undefined || at > text.length
      ? []
      : [{ at, number: source + 1, title: page.title, address: page.text }]
  })
  return marks.length === 0 ? noMarks : marks
}

/** Whether a detail is a web page; an import may also have the text of a source. */
export function isPage({ kind, text }: MessageDetail): boolean {
  return kind === 'source' && /^https?:\/\/\S+$/i.test(text)
}

function hostOf(address: string): string | null {
  return URL.parse(address)?.host ?? null
}
