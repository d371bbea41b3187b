/**
 * Counts the Modelports that a request has passed through, so that two of them that use each other as a provider do not
 * send a request in circles.
 */
export const hopHeader = 'x-modelport-hop'
