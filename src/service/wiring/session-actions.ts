/** What a person does with a session of a coding agent, in the window and on the command line. */
import type { Router } from '../../shared/entities.ts'
import { exportSession } from '../../shared/requests/session-export.ts'
import { nameOfSession, sessionOf, type Session } from '../../shared/requests/session.ts'
import {
  ruleBefore,
  withSubagentRule,
  type SubagentRule,
} from '../../shared/routers/subagent-rule.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import { sessionPinsName } from '../storage/live-configuration.ts'
import type { Workspace } from './workspace.ts'

type Parts = Pick<Workspace, 'storage' | 'configuration' | 'now'>

/** The pins of older sessions end. */
const mostPins = 100

/** @throws DashboardError not_found */
export async function findSession(id: string, { storage, now }: Parts): Promise<Session> {
  const session = sessionOf(await storage.ledger.ofSession(id), now())
  if (session === null) throw new DashboardError('not_found', `There is no session ${id}.`)
  return session
}

/** The models that the session can be pinned to: those of the router that it used last. */
export function modelsOfSession(
  { requests }: Session,
  { configuration }: Pick<Parts, 'configuration'>,
): readonly string[] {
  const routerId = requests.at(-1)?.record.routerId ?? ''
  return configuration.current().routers.get(routerId)?.models ?? []
}

/**
 * Makes a rule of the session's router for a type of subagent.
 * @returns the router's name, and the rule that undoes it
 * @throws DashboardError not_found, invalid when the target cannot answer
 */
export async function makeRule(
  id: string,
  rule: SubagentRule,
  parts: Parts & Pick<Workspace, 'dashboard'>,
): Promise<{ router: Router; undo: SubagentRule }> {
  const { requests } = await findSession(id, parts)
  const routerId = requests.at(-1)?.record.routerId ?? ''
  const router = parts.configuration.current().routers.get(routerId)
  if (router === undefined) throw new DashboardError('not_found', 'Its router was deleted.')
  await parts.dashboard.updateRouter(routerId, withSubagentRule(router, rule))
  return { router, undo: ruleBefore(router, rule.type) }
}

/**
 * The main agent gets this model from its next request that brings no tool's result.
 * @param model  null ends the pin
 * @throws DashboardError not_found, invalid when the session's router has no such model
 */
export async function pinSession(id: string, model: string | null, parts: Parts): Promise<void> {
  const session = await findSession(id, parts)
  const models = modelsOfSession(session, parts)
  if (model !== null && !models.includes(model)) {
    const known = models.join(', ')
    throw new DashboardError(
      'invalid',
      `Its router has no model ${model}. Use one of ${known}.`,
      'model',
    )
  }
  await savePin(pinNameOf(session), model, parts)
}

/**
 * Takes the session out of the ledger, with stored texts of its requests. The requests stay, because budgets and reports count them.
 * @throws DashboardError not_found
 */
export async function deleteSession(id: string, parts: Parts): Promise<void> {
  const session = await findSession(id, parts)
  await parts.storage.ledger.forgetSession(id)
  await savePin(pinNameOf(session), null, parts)
}

/** @returns JSON @throws DashboardError not_found */
export async function sessionFile(id: string, parts: Parts): Promise<string> {
  return exportSession(await findSession(id, parts))
}

/** The model that a person chose for the session; null for none. */
export function pinOfSession(
  { requests }: Pick<Session, 'requests'>,
  { configuration }: Pick<Parts, 'configuration'>,
): string | null {
  return configuration.current().sessionPins.get(pinNameOf({ requests })) ?? null
}

function pinNameOf({ requests }: Pick<Session, 'requests'>): string {
  const { sessionId = null, apiKeyId = null } = requests.at(-1)?.record ?? {}
  return nameOfSession({ sessionId: sessionId ?? '', apiKeyId })
}

async function savePin(
  name: string,
  model: string | null,
  { configuration, storage }: Parts,
): Promise<void> {
  const { sessionPins } = configuration.current()
  if ((sessionPins.get(name) ?? null) === model) return
  const others = [...sessionPins].filter(([one]) => one !== name)
  const pins = model === null ? others : [...others, [name, model]]
  await storage.configuration.setSetting(sessionPinsName, pins.slice(-mostPins))
  await configuration.refresh()
}
