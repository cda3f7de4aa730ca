/** An error as every service of this deployment words it. */
export const refusal = (status: number, message = 'said no') =>
  Response.json({ error: { code: 'X', message } }, { status })
