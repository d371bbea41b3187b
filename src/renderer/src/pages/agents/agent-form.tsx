import { Disclosure } from '../../components/disclosure.tsx'
import { Note } from '../../components/error-note.tsx'
import { recordOf, type Draft } from './draft.ts'
import { DraftArea, DraftNumber, DraftText, textOf } from './draft-fields.tsx'
import { StepList } from './step-list.tsx'
import { issuesWithin, useEditor } from './use-editor.ts'

/** The form with all fields of an agent. */
export function AgentForm() {
  const { draft } = useEditor()
  if (!draft) {
    return (
      <Note kind="warn">
        The source is not valid YAML. Fix it on the Source tab to use this form.
      </Note>
    )
  }
  return (
    <form
      aria-label="Agent"
      className="flex flex-col gap-4"
      onSubmit={(event) => event.preventDefault()}
    >
      <DraftText
        at={[]}
        name="name"
        value={draft.fields['name']}
        label="Name"
        hint="Requests use it as their model: agent:<name>"
      />
      <DraftArea
        at={[]}
        name="description"
        value={draft.fields['description']}
        label="Description"
      />
      <Limits draft={draft} />
      <section aria-label="Steps" className="flex flex-col gap-2">
        <div>
          <h2 className="text-sm font-semibold">Steps</h2>
          <p className="text-xs text-muted">
            Steps run in parallel unless they wait for others. The last step is the answer.
          </p>
        </div>
        <StepList graph={draft.graph} />
      </section>
    </form>
  )
}

const limitNames = [
  {
    name: 'max_cost_usd',
    label: 'Maximum cost (US dollars)',
    standard: '1',
    words: (value: string) => `$${value}`,
  },
  {
    name: 'max_steps',
    label: 'Maximum requests',
    standard: '100',
    words: (value: string) => `${value} requests`,
  },
  {
    name: 'max_seconds',
    label: 'Maximum time (seconds)',
    standard: '300',
    words: (value: string) => `${value} s`,
  },
]

function Limits({ draft }: { draft: Draft }) {
  const editor = useEditor()
  const limits = recordOf(draft.fields['limits']) ?? {}
  const remark = limitNames
    .map(({ name, standard, words }) => words(textOf(limits[name]) || standard))
    .join(', ')
  return (
    <Disclosure
      title="Limits per run"
      remark={remark}
      hasError={issuesWithin(editor, ['limits']) > 0}
    >
      <div className="grid grid-cols-3 gap-3">
        {limitNames.map(({ name, label, standard }) => (
          <DraftNumber
            key={name}
            at={['limits']}
            name={name}
            value={limits[name]}
            label={label}
            placeholder={standard}
          />
        ))}
      </div>
      <p className="text-xs text-muted">
        A step that could exceed a limit does not run. The answer shows the cost so far.
      </p>
    </Disclosure>
  )
}
