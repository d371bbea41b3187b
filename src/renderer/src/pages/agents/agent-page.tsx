import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { ErrorNote } from '../../components/error-note.tsx'
import { Page, Skeleton } from '../../components/page.tsx'
import { useUrlPart } from '../../components/use-url-part.ts'
import {
  newAgent,
  openAgent,
  useAgentDrafts,
  useAgents,
  useOpenAgents,
} from '../../stores/agents.ts'
import { AgentEditor, BackToAgents } from './agent-editor.tsx'
import { templateOf } from './agent-file.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** A new agent: empty, imported or copied. */
export function NewAgentPage() {
  const navigate = useNavigate()
  const text = useAgentDrafts((drafts) => drafts[newAgent])
  const agents = useAgents((state) => state.items)
  const template = useMemo(() => templateOf((agents ?? []).map(({ name }) => name)), [agents])
  useEffect(() => {
    void useAgents.getState().load()
  }, [])
  return (
    <AgentEditor
      detail={null}
      saved={text ?? template}
      onSaved={(name) => void navigate({ to: '/agents/$agentName', params: { agentName: name } })}
    />
  )
}

/** One agent: its definition, test runs, runs and versions. */
export function AgentPage() {
  const name = useUrlPart('agentName') ?? ''
  const navigate = useNavigate()
  const open = useOpenAgents((agents) => agents[name])
  useEffect(() => {
    void openAgent(name)
  }, [name])
  if (open?.detail) {
    return (
      <AgentEditor
        key={name}
        detail={open.detail}
        saved={open.detail.source}
        onSaved={(saved) => {
          if (saved !== name) {
            void navigate({ to: '/agents/$agentName', params: { agentName: saved } })
          }
        }}
      />
    )
  }
  return (
    <Page title={name} actions={<BackToAgents />}>
      {open?.error ? <ErrorNote error={open.error} /> : <Skeleton>{t('Loading agent…')}</Skeleton>}
    </Page>
  )
}
