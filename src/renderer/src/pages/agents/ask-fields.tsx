import { useId } from 'react'
import { makesEmbeddings } from '../../../../shared/models/model-abilities.ts'
import { Select } from '../../components/select.tsx'
import { useModels } from '../../stores/models.ts'
import { useRouters } from '../../stores/routers.ts'
import type { Path } from './draft.ts'
import { DraftArea, DraftNumber, DraftText, textOf } from './draft-fields.tsx'
import { useEditor } from './use-editor.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface AskProps {
  at: Path
  ask: Readonly<Record<string, unknown>>
  /** Variables that its templates can use. */
  names: string
}

/** The fields of one model request. */
export function AskFields({ at, ask, names }: AskProps) {
  return (
    <>
      <DraftArea
        at={at}
        name="user"
        value={ask['user']}
        label={t('Prompt')}
        isNeeded
        hint={t('Variables: {names}', { names })}
      />
      <DraftArea
        at={at}
        name="system"
        value={ask['system']}
        label={t('Instructions')}
        hint={t('Sent as the system message. Optional.')}
      />
      <ModelFields at={at} ask={ask} />
    </>
  )
}

const ownRouter = t('the request’s')

function ModelFields({ at, ask }: Omit<AskProps, 'names'>) {
  const editor = useEditor()
  const listId = useId()
  const routers = useRouters((state) => state.items) ?? []
  const models = useModels((state) => state.items) ?? []
  const router = textOf(ask['router'])
  const others = routers.map(({ id, name }) => ({ value: id, label: name }))
  const isKnown = router === '' || others.some(({ value }) => value === router)
  return (
    <div className="grid grid-cols-2 gap-3">
      <Select
        label={t('Router')}
        choices={[
          { value: ownRouter, label: t('Same as the request') },
          ...others,
          ...(isKnown ? [] : [{ value: router, label: router }]),
        ]}
        value={router === '' ? ownRouter : router}
        onChange={(id) => editor.set([...at, 'router'], id === ownRouter ? undefined : id)}
      />
      <DraftText
        at={at}
        name="model"
        value={ask['model']}
        label={t('Model')}
        placeholder={t('Chosen by the router')}
        list={listId}
      />
      <datalist id={listId}>
        {models
          .filter((model) => !makesEmbeddings(model))
          .map(({ id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
      </datalist>
      <DraftNumber
        at={at}
        name="temperature"
        value={ask['temperature']}
        label={t('Temperature')}
        placeholder={t('Model default')}
      />
      <DraftNumber
        at={at}
        name="max_tokens"
        value={ask['max_tokens']}
        label={t('Maximum output tokens')}
        placeholder={t('No limit')}
      />
    </div>
  )
}
