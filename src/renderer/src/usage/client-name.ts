import { t } from '../../../shared/strings/strings.ts'
/** The name of a calling program, short enough for a table: `claude-cli 2.0.1`. */
export function clientName(userAgent: string): string {
  if (userAgent.startsWith('Mozilla/5.0')) return t('a web browser')
  const [product = ''] = userAgent.split(' (', 1)
  // OpenAI's libraries write a space before the version, and others add what they are built on.
  const [name, version] = product.trim().split(' ')
  const isVersion = version !== undefined && /^v?\d/.test(version)
  return [name, ...(isVersion ? [version] : [])].join(' ').replaceAll('/', ' ')
}
