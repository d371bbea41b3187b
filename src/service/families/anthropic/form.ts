/** The name by which requests in this form are sent unchanged to providers of the form. */
export const originalWire = 'anthropic'
