import type { ConversationMessage } from '../../../../shared/chat/conversations.ts'
import type { MessageDetail } from '../../../../shared/chat/imports.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { OutsideLink } from '../../components/outside-link.tsx'

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

/** Whether a detail is a web page; an import may also have the text of a source. */
export function isPage({ kind, text }: MessageDetail): boolean {
  return kind === 'source' && /^https?:\/\/\S+$/i.test(text)
}

function hostOf(address: string): string | null {
  return URL.parse(address)?.host ?? null
}
