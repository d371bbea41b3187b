import { Button } from '../../components/button.tsx'
import { findingWords, requestsOf } from '../../../../shared/requests/finding-words.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { dismissFinding, useFindings } from '../../stores/findings.ts'
import { stringifySearch } from '../../usage/search.ts'

/** What answers of a provider's models showed, against what was asked. */
export function ProviderFindings({ providerId }: { providerId: string }) {
  const findings = useFindings((state) => state.items) ?? []
  const open = findings.filter(
    ({ kind, evidence, dismissedAtMs }) =>
      kind === 'answers' &&
      'modelId' in evidence &&
      evidence.modelId.startsWith(`${providerId}:`) &&
      dismissedAtMs === null,
  )
  if (open.length === 0) return null
  return (
    <ul aria-label={t('Findings')} className="flex flex-col gap-2">
      {open.map((finding) => (
        <li key={finding.id} className="flex flex-col gap-1 text-sm">
          <p className="text-warn wrap-anywhere">{findingWords(finding)}</p>
          <div className="flex items-center gap-3">
            <a
              href={`#/activity${stringifySearch(requestsOf(finding))}`}
              className="rounded-sm text-xs underline underline-offset-3 hover:text-accent"
            >
              {t('Show requests')}
            </a>
            <Button size="small" onClick={() => void dismissFinding(finding)}>
              {t('Dismiss')}
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}
