import { useState } from 'react'
import { environments, type ApiKeyInput } from '../../../../shared/entities.ts'
import { BudgetFields, readBudget, toBudgetTexts } from '../../components/budget-fields.tsx'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { TextField } from '../../components/field.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import { Select } from '../../components/select.tsx'
import { useAction } from '../../components/use-action.ts'
import { Form } from '../../components/form.tsx'
import { errorBeside, errorOf } from '../../stores/client.ts'
import { createKey, type ShownKey } from '../../stores/keys.ts'
import { useRouters } from '../../stores/routers.ts'
import { t } from '../../../../shared/strings/strings.ts'

const dayMs = 86_400_000

const environmentLabels = {
  dev: t('Development'),
  stage: t('Staging'),
  prod: t('Production'),
} as const
const environmentChoices = environments.map((value) => ({ value, label: environmentLabels[value] }))

const expiries = [
  { value: '30', label: t('In 30 days') },
  { value: '90', label: t('In 90 days'), hint: t('Recommended') },
  { value: '365', label: t('In a year') },
  { value: 'never', label: t('Never') },
] as const

const scopes = [
  { value: 'all', label: t('All routers'), hint: t('Includes future routers') },
  { value: 'chosen', label: t('Selected routers'), hint: t('Others return 403') },
] as const

const fields = [
  'name',
  'environment',
  'routers',
  'expiresAtMs',
  'tag',
  'budgetUsdPerDay',
  'budgetUsdPerMonth',
] as const

/** Fields behind the disclosure. */
const moreFields = ['tag', 'budgetUsdPerDay', 'budgetUsdPerMonth']

const initialSwitches = { acceptAnyModel: false, metrics: false, explain: false, keepAlive: true }
type SwitchValues = typeof initialSwitches

interface KeyFormProps {
  onClose: () => void
  onCreated: (key: ShownKey) => void
}

/** The form for a new key. */
export function KeyForm({ onClose, onCreated }: KeyFormProps) {
  const [name, setName] = useState('')
  const [environment, setEnvironment] = useState<(typeof environments)[number]>('dev')
  const [scope, setScope] = useState<'all' | 'chosen'>('all')
  const [routers, setRouters] = useState<readonly string[]>([])
  const [expiry, setExpiry] = useState<(typeof expiries)[number]['value']>('90')
  const [tag, setTag] = useState('')
  const [switches, setSwitches] = useState(initialSwitches)
  const [budget, setBudget] = useState(() => toBudgetTexts({}))
  const { run, isRunning, error } = useAction(async () => {
    const input: ApiKeyInput = {
      name,
      environment,
      routers: scope === 'all' ? 'all' : [...routers],
      expiresAtMs: expiry === 'never' ? null : Date.now() + Number(expiry) * dayMs,
      tag: tag.trim() === '' ? null : tag.trim(),
      ...switches,
      ...readBudget(budget),
    }
    onCreated(await createKey(input))
  })
  return (
    <Dialog title={t('Create key')} onClose={onClose}>
      <Form onSubmit={() => run()}>
        <TextField
          label={t('Name')}
          hint={t('The program that will use this key')}
          placeholder={t('Web shop backend')}
          value={name}
          error={errorOf(error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <RadioCards
          label={t('Environment')}
          choices={environmentChoices}
          value={environment}
          error={errorOf(error, 'environment')}
          onChange={setEnvironment}
        />
        <RadioCards
          label={t('Router access')}
          choices={scopes}
          value={scope}
          error={errorOf(error, 'routers')}
          onChange={setScope}
        />
        {scope === 'chosen' && <RouterChecks chosen={routers} onChange={setRouters} />}
        <Select label={t('Expires')} choices={expiries} value={expiry} onChange={setExpiry} />
        <Disclosure
          title={t('Tag, budget and options')}
          hasError={error !== null && errorBeside(error, moreFields) === null}
        >
          <TextField
            label={t('Tag (optional)')}
            hint={t(
              'Groups its usage, for example by project or customer. The header x-modelport-tag overrides it.',
            )}
            placeholder="web-shop"
            value={tag}
            error={errorOf(error, 'tag')}
            onChange={(event) => setTag(event.target.value)}
          />
          <BudgetFields texts={budget} error={error} onChange={setBudget} />
          <Switches value={switches} onChange={setSwitches} />
        </Disclosure>
        {error && errorBeside(error, fields) && <ErrorNote error={error} />}
        <Button look="primary" type="submit" disabled={isRunning} className="self-end">
          {t('Create key')}
        </Button>
      </Form>
    </Dialog>
  )
}

interface SwitchesProps {
  value: SwitchValues
  onChange: (value: SwitchValues) => void
}

function Switches({ value, onChange }: SwitchesProps) {
  return (
    <div role="group" aria-label={t('Options')} className="flex flex-col gap-2">
      <Checkbox
        label={t('Accept any model name')}
        hint={t('The router decides whatever the request names. For tools that insist on a name.')}
        checked={value.acceptAnyModel}
        onChange={(acceptAnyModel) => onChange({ ...value, acceptAnyModel })}
      />
      <Checkbox
        label={t('May read metrics')}
        hint={t('Allows GET /metrics for Prometheus.')}
        checked={value.metrics}
        onChange={(metrics) => onChange({ ...value, metrics })}
      />
      <Checkbox
        label={t('Explain every answer')}
        hint={t('Adds the candidates and the reason to _meta.decision.')}
        checked={value.explain}
        onChange={(explain) => onChange({ ...value, explain })}
      />
      <Checkbox
        label={t('Keep-alive comments in streams')}
        hint={t('Sent after 10 seconds of silence. Turn off for clients that cannot handle them.')}
        checked={value.keepAlive}
        onChange={(keepAlive) => onChange({ ...value, keepAlive })}
      />
    </div>
  )
}

interface RouterChecksProps {
  chosen: readonly string[]
  onChange: (routers: readonly string[]) => void
}

function RouterChecks({ chosen, onChange }: RouterChecksProps) {
  const routers = useRouters((state) => state.items) ?? []
  return (
    <div role="group" aria-label={t('Selected routers')} className="flex flex-col gap-1.5 text-sm">
      {routers.length === 0 && <p className="text-muted">{t('No routers yet.')}</p>}
      {routers.map((router) => (
        <Checkbox
          key={router.id}
          label={router.name}
          checked={chosen.includes(router.id)}
          onChange={(isChosen) =>
            onChange(
              isChosen ? [...chosen, router.id] : chosen.filter((other) => other !== router.id),
            )
          }
        />
      ))}
    </div>
  )
}
