import { useId } from 'react'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { Select } from '../../components/select.tsx'
import { useAgents } from '../../stores/agents.ts'
import { AskFields } from './ask-fields.tsx'
import { recordOf, type DraftGraph, type DraftStep, type Path } from './draft.ts'
import { DraftArea, DraftId, DraftNumber, DraftSchema, DraftText } from './draft-fields.tsx'
import { renameStep, setElse } from './edit-definition.ts'
import { issueOf, issuesWithin, useEditor } from './use-editor.ts'
import { variablesOf } from './visible-variables.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface StepProps {
  step: DraftStep
  /** The graph that contains the step. */
  graph: DraftGraph
}

/** The fields of one step, without its inner steps. */
export function StepFields({ step, graph }: StepProps) {
  const editor = useEditor()
  const { path, id } = step
  return (
    <>
      <DraftId
        at={path}
        value={id}
        onRename={(renamed) => editor.setSource(renameStep(editor.source, path, renamed))}
      />
      <Needs step={step} graph={graph} />
      <WorkFields step={step} />
      <MoreFields step={step} />
    </>
  )
}

/** The steps that must finish first. */
function Needs({ step, graph }: StepProps) {
  const editor = useEditor()
  const others = graph.steps.filter(({ id }) => id !== step.id && id !== '')
  const error = issueOf(editor, [...step.path, 'needs'])
  if (others.length === 0) return null
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">{t('Waits for')}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {others.map(({ id }) => (
          <Checkbox
            key={id}
            label={id}
            checked={step.needs.includes(id)}
            onChange={(isNeeded) => {
              const kept = step.needs.filter((need) => need !== id)
              const needs = isNeeded ? [...kept, id] : kept
              editor.set([...step.path, 'needs'], needs.length === 0 ? undefined : needs)
            }}
          />
        ))}
      </div>
      {error && <p className="text-xs text-bad first-letter:uppercase">{error}</p>}
    </fieldset>
  )
}

function WorkFields({ step }: { step: DraftStep }) {
  const { path, fields } = step
  const names = useVariables(path)
  switch (step.type) {
    case 'prompt':
      return (
        <>
          <AskFields at={path} ask={fields} names={names} />
          <DraftSchema at={path} value={fields['json_schema']} />
        </>
      )
    case 'text':
      return (
        <DraftArea
          at={path}
          name="text"
          value={fields['text']}
          label={t('Text')}
          isNeeded
          hint={t('Variables: {names}', { names })}
        />
      )
    case 'judge':
      return <JudgeFields step={step} names={names} />
    case 'branch':
      return <BranchFields step={step} />
    case 'map':
      return (
        <>
          <DraftText
            at={path}
            name="over"
            value={fields['over']}
            label={t('List')}
            hint={t('An expression, such as: {example}. Variables: {names}', {
              example: 'input | split: ","',
              names,
            })}
          />
          <div className="grid grid-cols-2 gap-3">
            <DraftNumber
              at={path}
              name="concurrency"
              value={fields['concurrency']}
              label={t('Concurrency')}
              placeholder="4"
            />
            <DraftNumber
              at={path}
              name="max_items"
              value={fields['max_items']}
              label={t('Maximum items')}
              placeholder="100"
            />
          </div>
        </>
      )
    case 'loop':
      return (
        <div className="grid grid-cols-2 gap-3">
          <DraftText
            at={path}
            name="until"
            value={fields['until']}
            label={t('Until')}
            hint={t('A condition that ends the loop, checked after each pass. Optional.')}
          />
          <DraftNumber
            at={path}
            name="max_iterations"
            value={fields['max_iterations']}
            label={t('Maximum passes')}
          />
        </div>
      )
    case 'agent':
      return <CallFields step={step} names={names} />
    case null:
      return (
        <p className="text-sm text-bad">
          {t('Unknown step type. Edit its fields on the Source tab.')}
        </p>
      )
  }
}

function useVariables(path: Path): string {
  const { draft } = useEditor()
  const names = draft ? variablesOf(draft, path) : []
  return names.map((name) => `{{ ${name} }}`).join(', ')
}

function JudgeFields({ step: { path, fields }, names }: { step: DraftStep; names: string }) {
  const editor = useEditor()
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <DraftNumber
          at={path}
          name="candidates"
          value={fields['candidates']}
          label={t('Answers to compare')}
          hint={t('2 to 10')}
        />
        <Select
          label={t('Judge')}
          choices={[
            { value: 'pick', label: t('Picks one answer') },
            { value: 'merge', label: t('Merges all answers') },
          ]}
          value={fields['mode'] === 'merge' ? 'merge' : 'pick'}
          onChange={(mode) => editor.set([...path, 'mode'], mode === 'pick' ? undefined : mode)}
        />
      </div>
      <Part title={t('Each answer')} error={issueOf(editor, [...path, 'candidate'])}>
        <AskFields
          at={[...path, 'candidate']}
          ask={recordOf(fields['candidate']) ?? {}}
          names={names}
        />
      </Part>
      <Part title={t('Judge')} error={issueOf(editor, [...path, 'judge'])}>
        <AskFields
          at={[...path, 'judge']}
          ask={recordOf(fields['judge']) ?? {}}
          names={`${names}, {{ candidates }}`}
        />
      </Part>
    </>
  )
}

function Part({
  title,
  error,
  children,
}: {
  title: string
  error: string | null
  children: React.ReactNode
}) {
  return (
    <fieldset className="flex flex-col gap-3 rounded-lg border border-line p-3">
      <legend className="px-1 text-sm font-semibold">{title}</legend>
      {error && <p className="text-xs text-bad first-letter:uppercase">{error}</p>}
      {children}
    </fieldset>
  )
}

function BranchFields({ step: { path, fields } }: { step: DraftStep }) {
  const editor = useEditor()
  const cases: unknown[] = Array.isArray(fields['cases']) ? fields['cases'] : []
  return (
    <>
      {cases.map((entry, index) => (
        <DraftText
          key={index}
          at={[...path, 'cases', index]}
          name="when"
          value={recordOf(entry)?.['when']}
          label={
            cases.length === 1 ? t('Condition') : t('Condition {number}', { number: index + 1 })
          }
          hint={
            index === 0
              ? t('Such as: {example}. The first true condition wins.', {
                  example: 'input contains "code"',
                })
              : undefined
          }
        />
      ))}
      <Checkbox
        label={t('Add steps for all other cases')}
        hint={t('Otherwise the output is empty when no condition is true.')}
        checked={fields['else'] !== undefined}
        onChange={(hasElse) => editor.setSource(setElse(editor.source, path, hasElse))}
      />
    </>
  )
}

function CallFields({ step: { path, fields }, names }: { step: DraftStep; names: string }) {
  const listId = useId()
  const agents = useAgents((state) => state.items) ?? []
  return (
    <>
      <DraftText
        at={path}
        name="agent"
        value={fields['agent']}
        label={t('Agent')}
        list={listId}
        hint={t('The name of an agent. The limits of both agents apply.')}
      />
      <datalist id={listId}>
        {agents.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
      <DraftArea
        at={path}
        name="input"
        value={fields['input']}
        label={t('Input')}
        placeholder="{{ input }}"
        hint={t('Variables: {names}', { names })}
      />
    </>
  )
}

const moreNames = ['skip_if', 'time_limit_seconds', 'retries', 'fallback'] as const

/** Optional fields for failures and skipping. */
function MoreFields({ step: { path, fields } }: { step: DraftStep }) {
  const editor = useEditor()
  const set = moreNames.filter((name) => fields[name] !== undefined)
  return (
    <Disclosure
      title={t('Failures and skipping')}
      remark={
        set.length === 0 ? t('Defaults') : set.map((name) => name.replaceAll('_', ' ')).join(', ')
      }
      isOpenAtFirst={set.length > 0}
      hasError={moreNames.some((name) => issuesWithin(editor, [...path, name]) > 0)}
    >
      <div className="grid grid-cols-2 gap-3">
        <DraftNumber
          at={path}
          name="retries"
          value={fields['retries']}
          label={t('Retries')}
          placeholder="0"
        />
        <DraftNumber
          at={path}
          name="time_limit_seconds"
          value={fields['time_limit_seconds']}
          label={t('Time limit (seconds)')}
          placeholder={t('No limit')}
        />
      </div>
      <DraftText
        at={path}
        name="skip_if"
        value={fields['skip_if']}
        label={t('Skip if')}
        hint={t('A condition. A skipped step has an empty output.')}
      />
      <DraftArea
        at={path}
        name="fallback"
        value={fields['fallback']}
        label={t('Fallback output')}
        hint={t('Used when the step fails. If empty, the whole run fails.')}
      />
    </Disclosure>
  )
}

/** Adds a case to a branch. */
export function AddCase({ onAdd }: { onAdd: () => void }) {
  return (
    <Button size="small" onClick={onAdd}>
      {t('Add condition')}
    </Button>
  )
}
