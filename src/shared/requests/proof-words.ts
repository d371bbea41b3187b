/** What sessions say about a router's rules, in words: no result before its interval decides. */
import { formatCount, formatPercent, formatShare, formatUsd } from '../strings/format.ts'
import { t } from '../strings/strings.ts'
import { fewestSessions } from './look-only.ts'
import type { Proven, ShadowProof, SplitProof } from './session-proof.ts'

export function splitWords(proof: SplitProof): string[] {
  const { routerName: router, rules, plain, cost, stuck } = proof
  const sessions = t('{router}: ended sessions with its rules: {rules}; without: {plain}.', {
    router,
    rules: formatCount(rules),
    plain: formatCount(plain),
  })
  return [sessions, costWords(cost, proof), stuckWords(stuck, proof)]
}

function costWords(cost: Proven, proof: SplitProof): string {
  const change = signed(cost.value)
  const missing = formatCount(cost.missing)
  if (cost.missing === 0)
    return t('With its rules, the cost of a typical session changes by {change} ({range}).', {
      change,
      range: rangeOf(cost, signed),
    })
  return isFew(proof)
    ? t('Not enough sessions to tell the difference in cost, {missing} more.', { missing })
    : t('Not enough sessions to tell the difference in cost, {missing} more ({range}).', {
        missing,
        range: rangeOf(cost, signed),
      })
}

function stuckWords(stuck: Proven, proof: SplitProof): string {
  const missing = formatCount(stuck.missing)
  if (stuck.missing === 0)
    return t('With its rules, the share of stuck sessions changes by {change} ({range}).', {
      change: signed(stuck.value),
      range: rangeOf(stuck, signed),
    })
  return isFew(proof)
    ? t('Not enough sessions to tell whether more get stuck, {missing} more.', { missing })
    : t('Not enough sessions to tell whether more get stuck, {missing} more ({range}).', {
        missing,
        range: rangeOf(stuck, signed),
      })
}

export function shadowWords(proof: ShadowProof): string[] {
  const { routerName: router, model, sessions, steps, same, spentUsd, capUsd } = proof
  const spent = t(
    '{router}: {model} also answered {steps, plural, one {# step} other {# steps}} of {sessions, plural, one {# session} other {# sessions}}, for {spent}.',
    {
      router,
      model,
      steps,
      sessions,
      spent:
        capUsd === null
          ? formatUsd(spentUsd)
          : t('{spent} of {cap}', { spent: formatUsd(spentUsd), cap: formatUsd(capUsd) }),
    },
  )
  const range = rangeOf(same, formatShare)
  const missing = formatCount(same.missing)
  if (same.missing === 0)
    return [
      spent,
      t('It would take the same kind of step in {share} ({range}).', {
        share: formatShare(same.value),
        range,
      }),
    ]
  return [
    spent,
    sessions < fewestSessions
      ? t('Not enough sessions to tell how often it would do the same, {missing} more.', {
          missing,
        })
      : t('Not enough sessions to tell how often it would do the same, {missing} more ({range}).', {
          missing,
          range,
        }),
  ]
}

/** The range of a few sessions says nothing. */
function isFew({ rules, plain }: SplitProof): boolean {
  return rules < fewestSessions || plain < fewestSessions
}

function rangeOf({ low, high }: Proven, format: (share: number) => string): string {
  return t('95 % range {low} to {high}', { low: format(low), high: format(high) })
}

function signed(share: number): string {
  const sign = Math.abs(share) < 0.005 ? '±' : share < 0 ? '−' : '+'
  return `${sign}${formatPercent(100 * Math.abs(share))}`
}
