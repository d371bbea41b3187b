import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { routerFields } from '../../../../shared/routers/router-fields.ts'
import { otherSubagents, type Subagents } from '../../../../shared/routers/routing-settings.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { ErrorText, TextField } from '../../components/field.tsx'
import { innerEnter } from '../../components/inner-enter.ts'
import { Select, type Choice } from '../../components/select.tsx'
import { errorOf } from '../../stores/client.ts'
import { chatModels, useModels } from '../../stores/models.ts'
import { useRouters } from '../../stores/routers.ts'
import { SwitchField, TypedField } from './router-field.tsx'
import { ShadowStepFields } from './shadow-step-fields.tsx'
import type { RouterEditor } from './use-router-editor.ts'

/** Where the model of a coding agent's session may change, and where its subagents go. */
export function SessionFields(fields: RouterEditor) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-sm font-medium">{t('Sessions of coding agents')}</legend>
      <SwitchField path="routing.escalateWhenStuck" {...fields} />
      <TypedField path="routing.checkCommand" {...fields} />
      <SwitchField path="routing.stepDown" {...fields} />
      <SwitchField path="routing.experiments.gate" {...fields} />
      <SubagentFields {...fields} />
      <SwitchField path="routing.split" {...fields} />
      <ShadowStepFields {...fields} />
    </fieldset>
  )
}

const path = 'routing.subagents'

function SubagentFields({ routerId, texts, error, change }: RouterEditor) {
  const [type, setType] = useState('')
  const targets = texts[path] ?? {}
  const choices = useSubagentTargets(routerId)
  const [first] = choices
  const set = (changed: Subagents) =>
    change({ [path]: Object.keys(changed).length === 0 ? null : changed })
  const added = type.trim() === '' ? otherSubagents : type.trim()
  const canAdd = first !== undefined && !(added in targets)
  const add = () => {
    if (!canAdd) return
    set({ ...targets, [added]: first.value })
    setType('')
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{routerFields[path].label}</legend>
      <p className="text-xs text-muted">
        {t(
          'A subagent has a prompt and a cache of its own, so another model loses nothing. Its model stays until it ends.',
        )}
      </p>
      {Object.entries(targets).map(([name, target]) => (
        <div key={name} className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <Select
              label={name === otherSubagents ? t('All other types') : name}
              choices={withChosen(choices, target)}
              value={target}
              onChange={(chosen) => set({ ...targets, [name]: chosen })}
            />
          </div>
          <IconButton
            label={t('Remove {id}', { id: name })}
            onClick={() => {
              const { [name]: _removed, ...others } = targets
              set(others)
            }}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
      <ErrorText>{errorOf(error, path)}</ErrorText>
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label={t('Type of subagent')}
            placeholder={t('Explore; empty for all other types')}
            value={type}
            onChange={({ target }) => setType(target.value)}
            onKeyDown={innerEnter(add)}
          />
        </div>
        <Button disabled={!canAdd} onClick={add}>
          <Plus size={13} aria-hidden /> {t('Add type')}
        </Button>
      </div>
    </fieldset>
  )
}

/** Other routers, then models with a price. */
export function useSubagentTargets(routerId: string): Choice<string>[] {
  const routers = useRouters(({ items }) => items) ?? []
  const models = useModels(({ items }) => items) ?? []
  const priced = models.filter(({ inputUsdPerMtok }) => inputUsdPerMtok !== null)
  const ids = chatModels(
    priced.map(({ id }) => id),
    priced,
  )
  return [
    ...routers
      .filter(({ id }) => id !== routerId)
      .map(({ id, name }) => ({ value: id, label: name, hint: t('Router') })),
    ...ids.map((id) => ({ value: id, label: id })),
  ]
}

function withChosen(choices: readonly Choice<string>[], chosen: string): Choice<string>[] {
  const isListed = choices.some(({ value }) => value === chosen)
  return isListed ? [...choices] : [...choices, { value: chosen, label: chosen }]
}
