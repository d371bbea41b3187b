/** Findings in one sentence each, with their evidence: for the window and the command line. */
import { formatCount, formatDateTime, formatTimeMark, formatUsd } from '../strings/format.ts'
import { t } from '../strings/strings.ts'
import type { AnswersEvidence, Finding, MoneyEvidence } from './finding.ts'

export function findingWords(finding: Finding): string {
  return finding.kind === 'money' ? moneyWords(finding.evidence) : answersWords(finding.evidence)
}

function answersWords(evidence: AnswersEvidence): string {
  const { check, modelId: model, named, factor, sinceMs } = evidence
  const deviating = formatCount(evidence.deviating)
  const answers = formatCount(evidence.answers)
  const since = formatDateTime(sinceMs)
  const when = hoursWords(evidence)
  switch (check) {
    case 'named':
      return t('{model} named {named} in {deviating} of {answers} answers since {since}. {when}', {
        model,
        named: named ?? '',
        deviating,
        answers,
        since,
        when,
      }).trim()
    case 'promptTokens':
      return t(
        '{model} reported {factor} times the usual prompt tokens in {deviating} of {answers} answers since {since}. {when}',
        { model, factor: (factor ?? 1).toFixed(2), deviating, answers, since, when },
      ).trim()
    case 'reasoning':
      return t(
        '{model} did not reason in {deviating} of {answers} answers since {since}, although reasoning was asked for. {when}',
        { model, deviating, answers, since, when },
      ).trim()
    case 'logprobs':
      return t(
        '{model} gave no log probabilities in {deviating} of {answers} answers since {since}, although they were asked for. {when}',
        { model, deviating, answers, since, when },
      ).trim()
  }
}

const hourMs = 3_600_000

/** Empty when they were at all hours. */
function hoursWords({ hoursUtc, sinceMs }: AnswersEvidence): string {
  if (hoursUtc === null) return ''
  const clock = (hour: number) =>
    formatTimeMark(new Date(sinceMs).setUTCHours(hour, 0, 0, 0), hourMs)
  return t('Nearly all of them between {from} and {until}.', {
    from: clock(hoursUtc.from),
    until: clock(hoursUtc.until),
  })
}

const usdColumn = 'cost_nano_usd'
/** Names of the figures that say the most; others have the name of their column. */
const figureWords: Readonly<Partial<Record<string, string>>> = {
  [usdColumn]: t('the cost'),
  requests: t('the number of requests'),
}

function moneyWords(evidence: MoneyEvidence): string {
  switch (evidence.check) {
    case 'totals': {
      const { fromMs, toMs, figure, stored, counted, cells } = evidence
      const amount = (value: number) => (figure === usdColumn ? nanoUsd(value) : formatCount(value))
      return t(
        'The totals from {from} to {to} differ from their requests: {figure} is {stored} instead of {counted}{cells, plural, one {} other {, and # totals differ in all}}.',
        {
          from: formatDateTime(fromMs),
          to: formatDateTime(toMs),
          figure: figureWords[figure] ?? figure,
          stored: amount(stored),
          counted: amount(counted),
          cells,
        },
      )
    }
    case 'rows':
      return t(
        'Answered requests are not recorded once: {missing} have no row, {doubled} have two.',
        { missing: formatCount(evidence.missing), doubled: formatCount(evidence.doubled) },
      )
    case 'price':
      return t(
        '{requests, plural, one {# request} other {# requests}} of {model} were answered without a price.',
        { requests: evidence.requests, model: evidence.model },
      )
    case 'budget': {
      const { ownerKind, ownerId, period, budgetNanoUsd, rowsNanoUsd } = evidence
      return t(
        'The budget of {owner, select, key {the key} other {the router}} {id} counts {budget} for this {period, select, day {day} other {month}}, but its requests cost {rows}.',
        {
          owner: ownerKind,
          id: ownerId,
          period,
          budget: nanoUsd(budgetNanoUsd),
          rows: nanoUsd(rowsNanoUsd),
        },
      )
    }
  }
}

/** Exact, because a difference may be one nano-dollar. */
function nanoUsd(value: number): string {
  return value % 1e7 === 0 ? formatUsd(value / 1e9) : `$${(value / 1e9).toFixed(9)}`
}

/** The filter of Activity with the requests behind a finding. */
export function requestsOf(finding: Finding): Record<string, string> {
  if (finding.requestIds.length > 0) return { findingId: finding.id, range: 'all' }
  const { evidence } = finding
  if (finding.kind === 'answers' || !('fromMs' in evidence)) return { range: 'all' }
  const { fromMs, toMs } = evidence
  const place = { fromMs: String(fromMs), toMs: String(toMs) }
  if (evidence.check === 'budget')
    return { ...place, [evidence.ownerKind === 'key' ? 'apiKeyId' : 'routerId']: evidence.ownerId }
  return place
}
