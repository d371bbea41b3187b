import type { Model } from '../../../../../shared/entities.ts'
import { formatPrice } from '../../../../../shared/strings/format.ts'
import type { ListedModel } from '../../../../../shared/models/listed-model.ts'
import { Button } from '../../../components/button.tsx'
import { Disclosure } from '../../../components/disclosure.tsx'
import { ErrorNote } from '../../../components/error-note.tsx'
import { useAction } from '../../../components/use-action.ts'
import { saveModels } from '../../../stores/models.ts'
import { figuresOf, freeFigures, suggestPrice } from './suggest-price.ts'
import { t } from '../../../../../shared/strings/strings.ts'

interface UnpricedModelsProps {
  /** Models of one provider. */
  models: readonly Model[]
  catalog: readonly ListedModel[]
  /** True for the user's own server, whose models usually cost nothing. */
  isOwnServer: boolean
  isOpenAtFirst: boolean
}

/** Prices for the models without one, several at once and without typing. */
export function UnpricedModels(props: UnpricedModelsProps) {
  const { models, catalog, isOwnServer, isOpenAtFirst } = props
  const { run, isRunning, error } = useAction(saveModels)
  const unpriced = models
    .filter(({ inputUsdPerMtok }) => inputUsdPerMtok === null)
    .map((model) => ({ model, price: suggestPrice(model, catalog) }))
  const suggested = unpriced.flatMap(({ model, price }) =>
    price === null ? [] : [figuresOf(model, price)],
  )
  if (unpriced.length === 0) return null
  return (
    <section
      aria-label={t('Models without a price')}
      className="flex flex-col gap-2.5 rounded-lg border border-line bg-sunken px-3 py-2.5"
    >
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto text-sm">
          {t(
            '{count, plural, one {One model has no price, so routers cannot use it yet.} other {# models have no price, so routers cannot use them yet.}}',
            { count: unpriced.length },
          )}
        </p>
        {suggested.length > 0 && (
          <Button size="small" disabled={isRunning} onClick={() => run(suggested)}>
            {t('Use catalogue prices ({count})', { count: suggested.length })}
          </Button>
        )}
        {isOwnServer && (
          <Button
            size="small"
            look="primary"
            disabled={isRunning}
            onClick={() => run(unpriced.map(({ model }) => freeFigures(model, catalog)))}
          >
            {t('Free: my own server ({count})', { count: unpriced.length })}
          </Button>
        )}
      </div>
      {error && <ErrorNote error={error} />}
      <Disclosure title={t('Show them')} isOpenAtFirst={isOpenAtFirst}>
        <ul className="flex flex-col gap-1 text-sm">
          {unpriced.map(({ model, price }) => (
            <li key={model.id} className="flex justify-between gap-3">
              <span className="min-w-0 truncate" title={model.id}>
                {model.id.slice(model.providerId.length + 1)}
              </span>
              <span className="shrink-0 text-xs text-muted">
                {price === null
                  ? t('not in the catalogue')
                  : t('{inputUsdPerMtok} as {id}', {
                      inputUsdPerMtok: formatPrice(price.inputUsdPerMtok, price.outputUsdPerMtok),
                      id: price.from.id,
                    })}
              </span>
            </li>
          ))}
        </ul>
      </Disclosure>
    </section>
  )
}
