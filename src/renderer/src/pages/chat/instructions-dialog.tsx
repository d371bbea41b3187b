import { useState } from 'react'
import { reasoningEfforts } from '../../../../shared/models/model-facts.ts'
import type { Instructions, ListedPreset } from '../../../../shared/chat/conversations.ts'
import type { Router } from '../../../../shared/entities.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { TextField } from '../../components/field.tsx'
import { NumberField } from '../../components/number-field.tsx'
import { readNumber } from '../../components/read-number.ts'
import { Select } from '../../components/select.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { useAction } from '../../components/use-action.ts'
import { Form } from '../../components/form.tsx'
import { chooseRouter } from '../../stores/chat.ts'
import { errorOf } from '../../stores/client.ts'
import {
  changeInstructions,
  copyOf,
  removePreset,
  savePreset,
  useInstructions,
  usePresets,
} from '../../stores/instructions.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The fields as they are typed. */
interface Form {
  systemPrompt: string
  temperature: string
  maxTokens: string
  effort: string
  limitUsd: string
}

/** The value of the effort that the model chooses. No effort has this name. */
const ofModel = 'of-model'

interface InstructionsDialogProps {
  conversation: string
  router: Router
  onClose: () => void
}

/** Changes the prompt and the parameters of a conversation, and saves them as a preset. */
export function InstructionsDialog({ conversation, router, onClose }: InstructionsDialogProps) {
  const instructions = useInstructions(conversation)
  const [form, setForm] = useState(() => formOf(instructions))
  const [preset, setPreset] = useState<ListedPreset | null>(null)
  const { run, isRunning, error } = useAction(async () => {
    const copy = preset && copyOf(preset)
    await changeInstructions(conversation, instructionsOf(form, instructions), copy)
    if (preset?.routerId) chooseRouter(conversation, preset.routerId)
    onClose()
  })
  const change = (changed: Partial<Form>) => setForm({ ...form, ...changed })

  function choose(chosen: ListedPreset | null): void {
    setPreset(chosen)
    if (chosen) setForm(formOf(chosen))
  }

  return (
    <Dialog
      title={t('Instructions')}
      description={t('Sent with every message of this conversation.')}
      onClose={onClose}
    >
      <Form onSubmit={() => run()}>
        <PresetPicker preset={preset} onChoose={choose} />
        <TextArea
          label={t('System prompt')}
          placeholder={t('For example: Answer in one paragraph and name your sources.')}
          value={form.systemPrompt}
          maxLength={100_000}
          onChange={({ target }) => change({ systemPrompt: target.value })}
        />
        <div className="grid grid-cols-2 gap-3">
          <NumberField
            label={t('Temperature')}
            placeholder={t('model’s own')}
            error={errorOf(error, 'parameters.temperature')}
            value={form.temperature}
            onChange={(temperature) => change({ temperature })}
          />
          <NumberField
            label={t('Most tokens')}
            isWhole
            placeholder={t('no limit')}
            error={errorOf(error, 'parameters.maxTokens')}
            value={form.maxTokens}
            onChange={(maxTokens) => change({ maxTokens })}
          />
          <Select
            label={t('Reasoning effort')}
            choices={[
              { value: ofModel, label: t('model’s own') },
              ...reasoningEfforts.map((effort) => ({ value: effort as string, label: effort })),
            ]}
            value={form.effort}
            onChange={(effort) => change({ effort })}
          />
          <NumberField
            label={t('Limit of the conversation in US dollars')}
            placeholder={t('no limit')}
            error={errorOf(error, 'parameters.limitUsd')}
            value={form.limitUsd}
            onChange={(limitUsd) => change({ limitUsd })}
          />
        </div>
        {error && !error.field?.startsWith('parameters.') && <ErrorNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="primary" type="submit" disabled={isRunning}>
            {t('Save')}
          </Button>
        </div>
      </Form>
      <PresetSaver
        key={preset?.id}
        {...{ preset, routerId: router.id }}
        read={() => instructionsOf(form, instructions)}
        onSaved={setPreset}
      />
    </Dialog>
  )
}

interface PresetPickerProps {
  preset: ListedPreset | null
  /** @param preset  null after it was deleted */
  onChoose: (preset: ListedPreset | null) => void
}

function PresetPicker({ preset, onChoose }: PresetPickerProps) {
  const presets = usePresets(({ items }) => items) ?? []
  const { run: remove, error } = useAction(async (removed: ListedPreset) => {
    await removePreset(removed)
    onChoose(null)
  })
  if (presets.length === 0) return null
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <Select
          label={t('Start from a preset')}
          choices={presets.map(({ id, name }) => ({ value: id, label: name }))}
          value={preset?.id ?? null}
          onChange={(id) => onChoose(presets.find((one) => one.id === id) ?? null)}
        />
      </div>
      {preset && <Button onClick={() => remove(preset)}>{t('Delete preset')}</Button>}
      {error && <ErrorNote error={error} />}
    </div>
  )
}

interface PresetSaverProps {
  /** The preset that the same name replaces. */
  preset: ListedPreset | null
  routerId: string
  read: () => Instructions
  onSaved: (preset: ListedPreset) => void
}

/** Saves the fields with the conversation's router under a name. */
function PresetSaver({ preset, routerId, read, onSaved }: PresetSaverProps) {
  const [name, setName] = useState(preset?.name ?? '')
  const isSame = name.trim() === preset?.name
  const { run, isRunning, error } = useAction(async () => {
    const id = preset && isSame ? preset.id : crypto.randomUUID()
    onSaved(await savePreset({ ...read(), id, name: name.trim(), routerId }))
  })
  return (
    <Form className="flex items-end gap-2 border-t border-line pt-4" onSubmit={() => run()}>
      <div className="min-w-0 flex-1">
        <TextField
          label={t('Name of the preset')}
          hint={t('A preset has these instructions and the router.')}
          error={error?.message}
          value={name}
          maxLength={100}
          onChange={({ target }) => setName(target.value)}
        />
      </div>
      <Button type="submit" disabled={isRunning || name.trim() === ''} className="mb-5">
        {isSame ? t('Update preset') : t('Save as preset')}
      </Button>
    </Form>
  )
}

function formOf({ systemPrompt, parameters }: Instructions): Form {
  const { temperature, maxTokens, reasoningEffort, limitUsd } = parameters
  return {
    systemPrompt,
    temperature: temperature?.toString() ?? '',
    maxTokens: maxTokens?.toString() ?? '',
    effort: reasoningEffort ?? ofModel,
    limitUsd: limitUsd?.toString() ?? '',
  }
}

/** Invalid numbers stay, so that the service says what is wrong. */
function instructionsOf(form: Form, { parameters }: Instructions): Instructions {
  const temperature = readNumber(form.temperature)
  const maxTokens = readNumber(form.maxTokens)
  const effort = reasoningEfforts.find((one) => one === form.effort)
  const limitUsd = readNumber(form.limitUsd)
  const { topP, tools, preference } = parameters
  return {
    systemPrompt: form.systemPrompt,
    parameters: {
      ...(topP !== undefined && { topP }),
      ...(tools !== undefined && { tools }),
      ...(preference && { preference }),
      ...(temperature !== null && { temperature }),
      ...(maxTokens !== null && { maxTokens }),
      ...(effort && { reasoningEffort: effort }),
      ...(limitUsd !== null && { limitUsd }),
    },
  }
}
