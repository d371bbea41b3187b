import type { Finding } from '../../../../shared/requests/finding.ts'
import { findingWords, requestsOf } from '../../../../shared/requests/finding-words.ts'
import { t } from '../../../../shared/strings/strings.ts'
import type { AttentionPoint } from './attention-point.ts'

/** Open findings, each in one sentence with its requests. */
export function findingPoints(findings: readonly Finding[]): AttentionPoint[] {
  return findings
    .filter(({ dismissedAtMs }) => dismissedAtMs === null)
    .map((finding) => ({
      id: `finding-${finding.id}`,
      tone: 'warn',
      text: findingWords(finding),
      action: { kind: 'dismiss', label: t('Dismiss'), finding },
      others: [
        {
          kind: 'link',
          label: t('Show requests'),
          to: '/activity',
          search: requestsOf(finding),
        },
      ],
    }))
}
