import { useState, type ReactNode } from 'react'
import type {
  ApprovalDecision,
  ApprovedCall,
  ServerQuestion,
  ToolApproval,
} from '../../../shared/chat/tool-approvals.ts'
import type { ToolGrant } from '../../../shared/chat/tools.ts'
import { formatDuration, formatUsd } from '../../../shared/strings/format.ts'
import { t } from '../../../shared/strings/strings.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Note } from '../components/error-note.tsx'
import { claimOf, markKeys, markNames } from '../components/tool-words.ts'
import { decideTool } from '../stores/mcp-servers.ts'

type About = Exclude<ToolApproval['about'], ServerQuestion>

interface ApprovalSheetProps {
  id: string
  conversationTitle: string
  about: About
}

/** A question that a turn waits for. Closing it denies. */
export function ApprovalSheet({ id, about, conversationTitle }: ApprovalSheetProps) {
  const [isDecided, setIsDecided] = useState(false)
  const decide = (decision: ApprovalDecision, grant = 0) => {
    setIsDecided(true)
    void decideTool(id, decision, { grant })
  }
  const isCall = about.kind === 'call'
  return (
    <Dialog
      title={
        isCall
          ? t('Allow {tool} of “{server}”?', { tool: about.tool.name, server: about.server })
          : t('Let this turn go on?')
      }
      description={
        <span className="flex flex-col gap-3">
          <span>{t('Conversation: {title}', { title: conversationTitle })}</span>
          {isCall ? <CallText call={about} /> : <StepsText about={about} />}
        </span>
      }
      onClose={() => decide('deny')}
      isHeld
      isWide
    >
      {isCall && about.risk !== null && (
        <Note kind="warn">
          <span className="flex-1">
            {t(
              'This conversation has read private data and text of others. That text may have asked for this call, so it can be allowed only once.',
            )}
          </span>
        </Note>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button data-first-focus="" disabled={isDecided} onClick={() => decide('deny')}>
          {isCall ? t('Deny') : t('Stop')}
        </Button>
        {isCall && about.risk === null && (
          <>
            <Button disabled={isDecided} onClick={() => decide('always')}>
              {t('Always for this tool')}
            </Button>
            {about.grants.map((grant, nth) => (
              <Button
                key={grant.argument}
                className="max-w-full"
                disabled={isDecided}
                onClick={() => decide('within', nth)}
              >
                <span className="truncate">{alwaysWords(grant)}</span>
              </Button>
            ))}
            <Button disabled={isDecided} onClick={() => decide('conversation')}>
              {t('This conversation')}
            </Button>
          </>
        )}
        <Button look="primary" disabled={isDecided} onClick={() => decide('once')}>
          {isCall ? t('Once') : t('Go on')}
        </Button>
      </div>
    </Dialog>
  )
}

function alwaysWords({ kind, within }: ToolGrant): string {
  return kind === 'folder'
    ? t('Always in {folder}', { folder: within })
    : t('Always on {host}', { host: within })
}

/** The whole call: nothing is cut, long values scroll. */
function CallText({ call }: { call: ApprovedCall }) {
  const marks = markKeys.filter((key) => call.marks[key])
  return (
    <>
      <Scrolled>{call.tool.description}</Scrolled>
      <span className="flex flex-wrap items-center gap-1.5">
        {marks.map((key) => (
          <Badge key={key}>{markNames[key]}</Badge>
        ))}
        <span>{claimOf(call.tool)}</span>
      </span>
      <span className="flex flex-col gap-1">
        <span className="font-medium text-ink">{t('Arguments')}</span>
        <Scrolled isCode>{call.arguments}</Scrolled>
      </span>
    </>
  )
}

function Scrolled({ isCode = false, children }: { isCode?: boolean; children: ReactNode }) {
  const look = isCode ? 'rounded-lg bg-sunken p-2.5 font-mono text-xs text-ink' : ''
  return (
    <span
      className={`block max-h-[30vh] overflow-y-auto wrap-anywhere whitespace-pre-wrap ${look}`}
    >
      {children}
    </span>
  )
}

function StepsText({ about }: { about: Exclude<About, ApprovedCall> }) {
  return t('It has called tools {steps} times, worked for {time} and cost {cost}.', {
    steps: about.steps,
    time: formatDuration(about.minutes * 60_000),
    cost: formatUsd(about.costUsd),
  })
}
