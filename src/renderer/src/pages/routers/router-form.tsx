import { useState } from 'react'
import type { RouterInput, Tier } from '../../../../shared/entities.ts'
import type { StrategyName } from '../../../../shared/strategies.ts'
import { routingSettingsSchema } from '../../../../shared/routing-settings.ts'
import { Button } from '../../components/button.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { TextField } from '../../components/field.tsx'
import { NumberField } from '../../components/number-field.tsx'
import { readNumber } from '../../components/read-number.ts'
import { Card } from '../../components/page.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import { useAction } from '../../components/use-action.ts'
import { errorBeside, errorOf } from '../../stores/client.ts'
import { ModelPicker } from './model-picker.tsx'
import { hedgeTexts, readHedge } from './hedge-fields.ts'
import { HedgeFields, TimeLimitFields } from './router-advanced.tsx'
import { RouterChoosing } from './router-choosing.tsx'
import { readLimits, RouterLimits, toLimitTexts } from './router-limits.tsx'
import { readRouting, toRoutingTexts } from './routing-fields.ts'
import { strategyChoices } from './strategies.ts'
import { readTimeLimits, timeLimitTexts } from './time-limit-fields.ts'

const tierChoices: readonly { value: Tier; label: string; hint: string }[] = [
  { value: 'free', label: 'Free', hint: '100 requests per day' },
  { value: 'pro', label: 'Pro', hint: '10,000 requests per day' },
  { value: 'enterprise', label: 'Enterprise', hint: 'Custom limit or none' },
]

const fields = [
  'name',
  'strategy',
  'models',
  'tier',
  'dailyLimit',
  'cacheTtlSeconds',
  'timeLimits',
  'hedge',
  'requestsPerMinute',
  'budgetUsdPerDay',
  'budgetUsdPerMonth',
  'routing',
] as const

interface RouterFormProps {
  initial: RouterInput
  strategy: StrategyName
  onStrategyChange: (strategy: StrategyName) => void
  action: string
  onSave: (router: RouterInput) => Promise<void>
  /** The save status as text. */
  status?: string
}

/** The form with all settings of a router. */
export function RouterForm(props: RouterFormProps) {
  const { initial, strategy, onStrategyChange, action, onSave, status = '' } = props
  const [router, setRouter] = useState(initial)
  const [dailyLimit, setDailyLimit] = useState(String(initial.dailyLimit ?? ''))
  const [cacheTtl, setCacheTtl] = useState(String(initial.cacheTtlSeconds ?? ''))
  const [timeLimits, setTimeLimits] = useState(() => timeLimitTexts(initial.timeLimits ?? {}))
  const [hedge, setHedge] = useState(() => hedgeTexts(initial.hedge))
  const [limits, setLimits] = useState(() => toLimitTexts(initial))
  const [routing, setRouting] = useState(() =>
    toRoutingTexts(routingSettingsSchema.parse(initial.routing)),
  )
  const { run, isRunning, error } = useAction(onSave)
  const { budgetUsdPerDay, budgetUsdPerMonth } = limits
  const hasBudget = `${budgetUsdPerDay}${budgetUsdPerMonth}`.trim() !== ''
  const tier = router.tier ?? 'pro'

  return (
    <Card>
      <form
        aria-label="Router"
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          run({
            ...router,
            strategy,
            routing: readRouting(routing, { strategy, hasBudget }),
            dailyLimit: tier === 'enterprise' ? readNumber(dailyLimit) : null,
            cacheTtlSeconds: readNumber(cacheTtl),
            timeLimits: readTimeLimits(timeLimits),
            hedge: readHedge(hedge),
            ...readLimits(limits),
          })
        }}
      >
        <TextField
          label="Name"
          value={router.name}
          placeholder="Cheapest for the web shop"
          error={errorOf(error, 'name')}
          onChange={(event) => setRouter({ ...router, name: event.target.value })}
        />
        <RadioCards
          label="Strategy"
          isWide
          choices={strategyChoices}
          value={strategy}
          error={errorOf(error, 'strategy')}
          onChange={onStrategyChange}
        />
        <ModelPicker
          chosen={router.models}
          error={errorOf(error, 'models')}
          onChange={(models) => setRouter((before) => ({ ...before, models: [...models] }))}
        />
        <RouterChoosing
          circumstances={{ strategy, hasBudget }}
          models={router.models}
          texts={routing}
          error={error}
          onChange={setRouting}
        />
        <RadioCards
          label="Tier"
          choices={tierChoices}
          value={tier}
          error={errorOf(error, 'tier')}
          onChange={(chosen) => setRouter({ ...router, tier: chosen })}
        />
        {tier === 'enterprise' && (
          <NumberField
            label="Requests per day"
            hint="Counted per router from midnight UTC. Leave empty for no limit."
            isWhole
            value={dailyLimit}
            error={errorOf(error, 'dailyLimit')}
            onChange={(text) => setDailyLimit(text)}
          />
        )}
        <RouterLimits texts={limits} error={error} onChange={setLimits} />
        <NumberField
          label="Cache answers for"
          unit="seconds"
          hint="Identical requests with the same key get the cached answer at no cost. The cache is in memory only. Leave empty to turn off."
          isWhole
          value={cacheTtl}
          error={errorOf(error, 'cacheTtlSeconds')}
          onChange={(text) => setCacheTtl(text)}
        />
        <Disclosure
          title="Advanced"
          hasError={errorOf(error, 'timeLimits') !== null || errorOf(error, 'hedge') !== null}
        >
          <TimeLimitFields texts={timeLimits} error={error} onChange={setTimeLimits} />
          <HedgeFields texts={hedge} error={error} onChange={setHedge} />
        </Disclosure>
        {error && errorBeside(error, fields) && <ErrorNote error={error} />}
        <div className="flex items-center gap-3">
          <Button look="primary" type="submit" disabled={isRunning}>
            {action}
          </Button>
          <span role="status" className="text-sm text-muted">
            {status}
          </span>
        </div>
      </form>
    </Card>
  )
}
