import { useEffect, useRef, useState } from 'react'
import type { Model, ModelInput } from '../../../../shared/entities.ts'
import { makesEmbeddings, type Capability } from '../../../../shared/models/model-abilities.ts'
import { formatPrice } from '../../../../shared/strings/format.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { innerEnter } from '../../components/inner-enter.ts'
import { NumberField } from '../../components/number-field.tsx'
import { readNumber } from '../../components/read-number.ts'
import { useAction } from '../../components/use-action.ts'
import { CallError, errorBeside, errorOf } from '../../stores/client.ts'
import { saveModel, useCatalogModels } from '../../stores/models.ts'
import { figuresOf, suggestPrice } from '../models/add/suggest-price.ts'
import { ownFigures } from './own-figures.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

const fields = ['inputUsdPerMtok', 'outputUsdPerMtok', 'contextTokens'] as const

interface PriceFormProps {
  model: Model
  /** Label of the button. */
  label?: string
  onSaved: () => void
}

/** Asks for the price of a model. Without it Modelport cannot calculate costs. */
export function PriceForm({ model, label = t('Save price and add'), onSaved }: PriceFormProps) {
  const [input, setInput] = useState(String(model.inputUsdPerMtok ?? ''))
  const [output, setOutput] = useState(String(model.outputUsdPerMtok ?? ''))
  const [context, setContext] = useState(String(model.contextTokens ?? ''))
  const [isEmbedding, setIsEmbedding] = useState(makesEmbeddings(model))
  const { run, isRunning, error } = useAction(async (price: { input: string; output: string }) => {
    await saveModel({
      id: model.id,
      inputUsdPerMtok: numberOf(price.input, 'inputUsdPerMtok'),
      outputUsdPerMtok: numberOf(price.output, 'outputUsdPerMtok'),
      ...(context.trim() === '' ? {} : { contextTokens: numberOf(context, 'contextTokens') }),
      ...ownFigures(model),
      capabilities: withEmbeddings(model, isEmbedding),
    })
    onSaved()
  })
  const group = useRef<HTMLDivElement>(null)
  useEffect(() => {
    group.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    // A group, not a form: it can be inside the router form.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- for the keys of its fields
    <div
      ref={group}
      role="group"
      aria-label={t('Price of {id}', { id: model.id })}
      onKeyDown={innerEnter(() => {
        if (!isRunning) run({ input, output })
      })}
      className="my-2 flex flex-col gap-3 rounded-lg border border-line bg-sunken p-3"
    >
      <SuggestedPrice model={model} onSaved={onSaved} />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-3">
        <NumberField
          label={t('Input price')}
          hint={t('US dollars per million tokens')}
          value={input}
          error={errorOf(error, 'inputUsdPerMtok')}
          onChange={(text) => setInput(text)}
        />
        <NumberField
          label={t('Output price')}
          hint={t('US dollars per million tokens')}
          value={output}
          error={errorOf(error, 'outputUsdPerMtok')}
          onChange={(text) => setOutput(text)}
        />
        <NumberField
          label={t('Context (optional)')}
          hint={t('Maximum tokens')}
          isWhole
          value={context}
          error={errorOf(error, 'contextTokens')}
          onChange={(text) => setContext(text)}
        />
      </div>
      <Checkbox label={t('Makes embeddings')} checked={isEmbedding} onChange={setIsEmbedding} />
      {error && errorBeside(error, fields) && <ErrorNote error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button disabled={isRunning} onClick={() => run({ input, output })}>
          {label}
        </Button>
        <Button disabled={isRunning} onClick={() => run({ input: '0', output: '0' })}>
          {t('Free: my own server')}
        </Button>
      </div>
    </div>
  )
}

/** The catalogue's price of the same model elsewhere, taken in one click; nothing when there is none. */
function SuggestedPrice({ model, onSaved }: { model: Model; onSaved: () => void }) {
  const catalog = useCatalogModels((state) => state.items)
  const price = suggestPrice(model, catalog ?? [])
  const { run, isRunning, error } = useAction(async (figures: ModelInput) => {
    await saveModel({ ...ownFigures(model), ...figures })
    onSaved()
  })
  useEffect(() => {
    if (catalog === null) void useCatalogModels.getState().load()
  }, [catalog])
  if (!price) return null
  return (
    <div className="flex flex-col items-start gap-1.5">
      <Button look="primary" disabled={isRunning} onClick={() => run(figuresOf(model, price))}>
        {rich('Use {inputUsdPerMtok}', {
          inputUsdPerMtok: formatPrice(price.inputUsdPerMtok, price.outputUsdPerMtok),
        })}
      </Button>
      <p className="text-xs text-muted">
        {rich('The catalogue’s price of {id}.', { id: price.from.id })}
      </p>
      {error && <ErrorNote error={error} />}
    </div>
  )
}

function withEmbeddings({ capabilities }: Model, isEmbedding: boolean): Capability[] {
  const others = capabilities.filter((name) => name !== 'embeddings')
  return isEmbedding ? [...others, 'embeddings'] : others
}

/** @throws CallError for the field when the text is empty or not a number */
function numberOf(text: string, field: (typeof fields)[number]): number {
  const number = readNumber(text)
  if (number !== null && Number.isFinite(number)) return number
  throw new CallError({ code: 'invalid', message: t('Enter a number'), field })
}
