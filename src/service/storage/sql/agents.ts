import type { AgentVersion, NewAgentVersion, StoredAgent } from '../storage.ts'
import type { Sql } from './sql.ts'

/** Agents, with all their versions. */
export function openAgents(sql: Sql) {
  const selectAll = sql.prepare<[], StoredAgent>(`
    SELECT slug, version, source, agents.created_at_ms AS "createdAtMs",
           agent_versions.created_at_ms AS "updatedAtMs"
    FROM agents JOIN agent_versions USING (slug, version) ORDER BY slug`)
  const selectVersions = sql.prepare<[string], AgentVersion>(`
    SELECT version, source, created_at_ms AS "createdAtMs" FROM agent_versions
    WHERE slug = ? ORDER BY version`)
  const addVersion = sql
    .prepare<NewAgentVersion, number>(`
      INSERT INTO agent_versions (slug, version, source, created_at_ms)
      VALUES (
        :slug,
        (SELECT coalesce(max(version), 0) + 1 FROM agent_versions WHERE slug = :slug),
        :source, :createdAtMs
      ) RETURNING version`)
    .pluck()
  const save = sql.prepare<Omit<NewAgentVersion, 'source'> & { version: number }>(`
    INSERT INTO agents (slug, version, created_at_ms) VALUES (:slug, :version, :createdAtMs)
    ON CONFLICT (slug) DO UPDATE SET version = excluded.version`)
  const remove = sql.prepare<[string]>('DELETE FROM agents WHERE slug = ?')

  return {
    all: () => selectAll.all(),
    versions: (slug: string) => selectVersions.all(slug),
    async save({ slug, source, createdAtMs }: NewAgentVersion): Promise<number> {
      const version = (await addVersion.get({ slug, source, createdAtMs })) ?? 1
      await save.run({ slug, version, createdAtMs })
      return version
    },
    remove: async (slug: string) => (await remove.run(slug)).changes > 0,
  }
}
