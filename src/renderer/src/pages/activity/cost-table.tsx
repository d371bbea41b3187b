import { formatUsd } from '../../../../shared/strings/format.ts'
import type { ExplainedDetail } from '../../../../shared/requests/detail.ts'
import { costBreakdown, lineText, priceSourceText } from './cost-lines.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The tokens of each class, times their price, and the source of the price. */
export function CostTable({ detail, costUsd }: { detail: ExplainedDetail; costUsd: number }) {
  const { lines, restUsd } = costBreakdown(detail, costUsd)
  return (
    <>
      <table className="w-full text-left text-xs tabular-nums">
        <caption className="sr-only">{t('Tokens and cost')}</caption>
        <tbody>
          {lines.map((line) => (
            <CostRow
              key={line.name}
              name={line.name}
              sum={lineText(line)}
              costUsd={line.costUsd}
              isEstimate={detail.tokenSource === 'estimated'}
            />
          ))}
          {restUsd !== 0 && (
            <CostRow name={t('Other')} sum={t('Other tries and surcharges')} costUsd={restUsd} />
          )}
          <CostRow name={t('Total')} sum="" costUsd={costUsd} isTotal />
        </tbody>
      </table>
      <p className="text-xs text-muted">
        {priceSourceText(detail.price)}{' '}
        {detail.tokenSource === 'estimated' &&
          t('The provider reported no tokens, so they are estimated.')}
      </p>
    </>
  )
}

interface CostRowProps {
  name: string
  sum: string
  costUsd: number | null
  isEstimate?: boolean
  isTotal?: boolean
}

function CostRow({ name, sum, costUsd, isEstimate = false, isTotal = false }: CostRowProps) {
  return (
    <tr className={isTotal ? 'border-t border-line font-medium' : ''}>
      <th scope="row" className={`py-0.5 pr-4 ${isTotal ? 'font-medium' : 'font-normal'}`}>
        {name}
      </th>
      <td className="py-0.5 pr-4 text-muted">
        {isEstimate && '≈ '}
        {sum}
      </td>
      <td className="py-0.5 text-right">{formatUsd(costUsd)}</td>
    </tr>
  )
}
