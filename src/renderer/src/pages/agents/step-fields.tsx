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
import { faultOf, faultsWithin, useEditor } from './use-editor.ts'
import { variablesOf } from './visible-variables.ts'

interface StepProps {
  step: DraftStep
  /** Where it stands. */
  graph: DraftGraph
}

/** What is set on one step, except for the steps it holds. */
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

/** The steps it waits for. */
function Needs({ step, graph }: StepProps) {
  const editor = useEditor()
  const others = graph.steps.filter(({ id }) => id !== step.id && id !== '')
  const error = faultOf(editor, [...step.path, 'needs'])
  if (others.length === 0) return null
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">Waits for</legend>
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
          label="Text"
          isNeeded
          hint={`Can name ${names}`}
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
            label="List"
            hint={`An expression, such as: input | split: ",". It can name ${names}.`}
          />
          <div className="grid grid-cols-2 gap-3">
            <DraftNumber
              at={path}
              name="concurrency"
              value={fields['concurrency']}
              label="At the same time"
              placeholder="4"
            />
            <DraftNumber
              at={path}
              name="max_items"
              value={fields['max_items']}
              label="Items at the most"
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
            label="Until"
            hint="A condition, asked after each pass. Empty: all passes."
          />
          <DraftNumber
            at={path}
            name="max_iterations"
            value={fields['max_iterations']}
            label="Passes at the most"
          />
        </div>
      )
    case 'agent':
      return <CallFields step={step} names={names} />
    case null:
      return (
        <p className="text-sm text-bad">
          There is no such type of step. Its fields can be changed in the source.
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
          label="Answers to compare"
          hint="2 to 10"
        />
        <Select
          label="The judge"
          choices={[
            { value: 'pick', label: 'picks one answer' },
            { value: 'merge', label: 'writes one from all' },
          ]}
          value={fields['mode'] === 'merge' ? 'merge' : 'pick'}
          onChange={(mode) => editor.set([...path, 'mode'], mode === 'pick' ? undefined : mode)}
        />
      </div>
      <Part title="Each answer" error={faultOf(editor, [...path, 'candidate'])}>
        <AskFields
          at={[...path, 'candidate']}
          ask={recordOf(fields['candidate']) ?? {}}
          names={names}
        />
      </Part>
      <Part title="Judge" error={faultOf(editor, [...path, 'judge'])}>
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
          label={cases.length === 1 ? 'Condition' : `Condition ${index + 1}`}
          hint={
            index === 0
              ? 'Such as: input contains "code". The first that holds is taken.'
              : undefined
          }
        />
      ))}
      <Checkbox
        label="Otherwise, other steps"
        hint="Without them the output is empty where no condition holds."
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
        label="Agent"
        list={listId}
        hint="Its name. It goes on within its own limits and this one’s."
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
        label="What it is given"
        placeholder="{{ input }}"
        hint={`Can name ${names}`}
      />
    </>
  )
}

const moreNames = ['skip_if', 'time_limit_seconds', 'retries', 'fallback'] as const

/** What few steps need. */
function MoreFields({ step: { path, fields } }: { step: DraftStep }) {
  const editor = useEditor()
  const set = moreNames.filter((name) => fields[name] !== undefined)
  return (
    <Disclosure
      title="When it fails or is not needed"
      remark={
        set.length === 0 ? 'defaults' : set.map((name) => name.replaceAll('_', ' ')).join(', ')
      }
      isOpenAtFirst={set.length > 0}
      hasError={moreNames.some((name) => faultsWithin(editor, [...path, name]) > 0)}
    >
      <div className="grid grid-cols-2 gap-3">
        <DraftNumber
          at={path}
          name="retries"
          value={fields['retries']}
          label="Tries again"
          placeholder="0"
        />
        <DraftNumber
          at={path}
          name="time_limit_seconds"
          value={fields['time_limit_seconds']}
          label="Seconds at the most"
          placeholder="no limit"
        />
      </div>
      <DraftText
        at={path}
        name="skip_if"
        value={fields['skip_if']}
        label="Passed over if"
        hint="A condition. Its output is then empty."
      />
      <DraftArea
        at={path}
        name="fallback"
        value={fields['fallback']}
        label="Output when it fails"
        hint="Empty: the whole run fails."
      />
    </Disclosure>
  )
}

/** Adds another way to a branch. */
export function AddCase({ onAdd }: { onAdd: () => void }) {
  return (
    <Button size="small" onClick={onAdd}>
      Add a condition
    </Button>
  )
}
