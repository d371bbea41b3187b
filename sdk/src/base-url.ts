/** The address of a router, from what a caller gives or the environment has. */
import { OpenAIError } from 'openai'

/** Address of Modelport unless its settings say otherwise. */
export const defaultBaseUrl = 'https://localhost:6778'

/**
 * `<address>/api/router/<id>/v1`, the base URL of OpenAI's SDK.
 * @param baseUrl  the service's address, or a router's address with or without `/v1`
 * @param routerId  replaces a router that `baseUrl` names
 * @param defaultRouterId  for an address that names no router
 * @throws OpenAIError for an address that is not a URL, and without a router
 */
export function routerUrl(
  baseUrl: string,
  routerId: string | undefined,
  defaultRouterId: string | undefined,
): string {
  const url = parse(baseUrl)
  const [, prefix = '', inPath] =
    /^(.*?)(?:\/api\/router\/([^/]+))?(?:\/v1)?\/*$/.exec(url.pathname) ?? []
  const id = routerId || (inPath === undefined ? defaultRouterId : decodeURIComponent(inPath))
  if (!id) {
    throw new OpenAIError(
      'Modelport needs a router: pass routerId or set MODELPORT_ROUTER_ID. Its page in Modelport shows the id, such as router_….',
    )
  }
  return `${url.origin}${prefix}/api/router/${encodeURIComponent(id)}/v1`
}

function parse(baseUrl: string): URL {
  try {
    return new URL(baseUrl)
  } catch (error) {
    throw new OpenAIError(
      `"${baseUrl}" is not a URL. The base URL of Modelport is an address such as ${defaultBaseUrl}.`,
      { cause: error },
    )
  }
}
