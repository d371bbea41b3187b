import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ErrorNote } from '../../components/error-note.tsx'
import { Page, Skeleton } from '../../components/page.tsx'
import { useUrlPart } from '../../components/use-url-part.ts'
import { newAgent, openAgent, useAgentDrafts, useOpenAgents } from '../../stores/agents.ts'
import { AgentEditor, BackToAgents } from './agent-editor.tsx'
import { smallestAgent } from './step-templates.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** A new agent: empty, imported or copied. */
export function NewAgentPage() {
  const navigate = useNavigate()
  const text = useAgentDrafts((drafts) => drafts[newAgent])
  return (
    <AgentEditor
      detail={null}
      saved={text ?? smallestAgent}
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
