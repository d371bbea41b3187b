/** Figures of a node: its storage, its configuration and what it shares with others. */
import type { StorageFigures } from '../../storage/maintenance.ts'
import { writeFamily, type Family } from './exposition.ts'

export interface NodeSources {
  storage(): StorageFigures
  /** Whether the database cannot be written. */
  hasStorageOutage(): boolean
  configuration(): { version: number; ageMs: number }
  /** What this node leased of budgets that several nodes spend; null for a node on its own. */
  leasedMoney(): { budgets: number; nanoUsd: number } | null
  /** Whether the service stops and load balancers should send no requests. */
  isStopping(): boolean
  /** The connection to what several nodes share; `off` for a node on its own. */
  sharedState(): { kind: 'off' } | { kind: 'connected' | 'disconnected'; nodes: number }
  /** Requests whose spans were dropped; null without telemetry. */
  droppedSpans(): number | null
}

export function writeNode(sources: NodeSources): string {
  const { engine, node } = sources.storage()
  const configuration = sources.configuration()
  const own: Family = {
    name: 'modelport_node_info',
    type: 'gauge',
    help: 'Always 1. The storage engine; on PostgreSQL also the node and the newest schema it knows.',
    samples: [
      {
        labels: { engine, node: node?.id ?? '', schema: String(node?.schemaVersion ?? '') },
        value: 1,
      },
    ],
  }
  const families = [
    own,
    gauge(
      'modelport_storage_outage',
      '1 while the database cannot be written, else 0.',
      Number(sources.hasStorageOutage()),
    ),
    gauge(
      'modelport_configuration_version',
      'The version of the configuration in use.',
      configuration.version,
    ),
    gauge(
      'modelport_configuration_age_seconds',
      'Time since the configuration was compared with the stored one.',
      configuration.ageMs / 1000,
    ),
    gauge(
      'modelport_stopping',
      '1 while the service stops and load balancers should send no requests, else 0.',
      Number(sources.isStopping()),
    ),
    ...databaseFamilies(node),
    ...leaseFamilies(sources.leasedMoney()),
    ...sharedFamilies(sources),
  ]
  return families.map(writeFamily).join('')
}

function databaseFamilies(node: StorageFigures['node']): Family[] {
  if (node === null) return []
  return [
    {
      name: 'modelport_database_connections',
      type: 'gauge',
      help: "Connections of the node's pool, and calls that wait for one.",
      samples: Object.entries(node.connections).map(([state, value]) => ({
        labels: { state },
        value,
      })),
    },
  ]
}

function leaseFamilies(leased: ReturnType<NodeSources['leasedMoney']>): Family[] {
  if (leased === null) return []
  return [
    gauge(
      'modelport_leased_budgets',
      'Budgets of which this node has leased a part.',
      leased.budgets,
    ),
    gauge(
      'modelport_leased_usd',
      'What this node leased of budgets: for requests in progress, and for its next ones.',
      leased.nanoUsd / 1e9,
    ),
  ]
}

function sharedFamilies(sources: NodeSources): Family[] {
  const state = sources.sharedState()
  const dropped = sources.droppedSpans()
  const telemetry: Family = {
    name: 'modelport_telemetry_dropped_requests_total',
    type: 'counter',
    help: 'Requests whose spans no collector received.',
    samples: dropped === null ? [] : [{ value: dropped }],
  }
  if (state.kind === 'off') return [telemetry]
  return [
    gauge(
      'modelport_shared_state_connected',
      '1 while Valkey can be reached, else 0.',
      Number(state.kind === 'connected'),
    ),
    gauge(
      'modelport_shared_state_nodes',
      'Nodes that share the Valkey, this one included, or how many there were when it was lost.',
      state.nodes,
    ),
    telemetry,
  ]
}

function gauge(name: string, help: string, value: number): Family {
  return { name, type: 'gauge', help, samples: [{ value }] }
}
