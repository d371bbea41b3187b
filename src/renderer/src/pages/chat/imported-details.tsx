import type { ImportedPart, MessageDetail } from '../../../../shared/chat/imports.ts'
import { Badge } from '../../components/badge.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** The model of an answer that another program stored. */
export function ImportedChip({ imported }: { imported: ImportedPart }) {
  return (
    <span className="flex min-h-6 flex-wrap items-center gap-1.5 rounded-xl border border-line bg-surface px-2.5 py-0.5 text-xs text-muted">
      <span className="font-medium wrap-anywhere text-ink">
        {imported.model ?? t('Unknown model')}
      </span>
      <span aria-hidden>·</span>
      {t('imported')}
    </span>
  )
}

/** Reasoning, tool calls, texts of sources and documents that came with an imported message, folded. */
export function ImportedDetails({ details }: { details: readonly MessageDetail[] }) {
  if (details.length === 0) return null
  return (
    <details className="rounded-lg border border-line px-3 py-1.5 text-sm text-muted">
      <summary className="cursor-pointer text-xs font-medium">
        {t('{count, plural, one {# imported detail} other {# imported details}}', {
          count: details.length,
        })}
      </summary>
      <ul className="mt-2 flex flex-col gap-3">
        {details.map((detail, at) => (
          <li key={at} className="flex min-w-0 flex-col gap-1">
            <span className="flex flex-wrap items-center gap-2 text-xs">
              <Badge>{kindNames[detail.kind]}</Badge>
              <span className="wrap-anywhere">{detail.title}</span>
            </span>
            {detail.text !== '' && (
              <p className="max-h-60 overflow-y-auto text-xs wrap-anywhere whitespace-pre-wrap">
                {detail.text}
              </p>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

const kindNames: Readonly<Record<MessageDetail['kind'], string>> = {
  reasoning: t('Reasoning'),
  tool_call: t('Tool call'),
  tool_result: t('Tool result'),
  document: t('Document'),
  source: t('Source'),
  missing_file: t('File that is not here'),
}
