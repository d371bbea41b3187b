import type { PriceFinding } from '../../../../shared/requests/reconciliation.ts'
import { formatPrice } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { correctPrice } from '../../stores/reconcile.ts'
import { showToast } from '../../stores/toasts.ts'

/** Prices that the bill shows, each with its correction. */
export function PriceFindings({ prices }: { prices: readonly PriceFinding[] }) {
  if (prices.length === 0) return null
  return (
    <section aria-labelledby="price-findings" className="flex flex-col gap-2">
      <h2 id="price-findings" className="text-sm font-semibold">
        {t('Prices that differ')}
      </h2>
      {prices.map((price) => (
        <PriceCard key={price.modelId} price={price} />
      ))}
    </section>
  )
}

function PriceCard({ price }: { price: PriceFinding }) {
  const { modelId, from, before, inputUsdPerMtok, outputUsdPerMtok } = price
  const correct = useAction(async () => {
    await correctPrice(price)
    showToast({ text: t('The price of {model} was corrected.', { model: modelId }) })
  })
  return (
    <div className="flex flex-col gap-2 rounded-xl border border-line bg-surface px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 text-sm">
          <span className="font-medium">{modelId}</span>
          {' · '}
          {t('since {from}: {after} instead of {before} per million tokens', {
            from,
            after: formatPrice(inputUsdPerMtok, outputUsdPerMtok),
            before: formatPrice(before.inputUsdPerMtok, before.outputUsdPerMtok),
          })}
        </p>
        <Button
          look="primary"
          size="small"
          disabled={correct.isRunning}
          aria-label={t('Correct price of {model} from {from}', { model: modelId, from })}
          onClick={() => correct.run()}
        >
          {t('Correct price')}
        </Button>
      </div>
      <p className="text-xs text-muted">
        {t(
          'New requests use the corrected price. Requests that are already stored keep their cost.',
        )}
      </p>
      {correct.error && <ErrorNote error={correct.error} />}
    </div>
  )
}
