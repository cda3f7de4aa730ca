import { type LocalServer, localServer } from '@bursar/testing'

/** A quote service that knows these rates; those it does not know cannot be had. */
export const quoteServer = (rates: Record<string, number>): LocalServer =>
  localServer(async (request) => {
    const { assetCode } = (await request.json()) as { assetCode: string }
    const rate = rates[assetCode]
    if (rate === undefined) return Response.json({ message: 'No provider' }, { status: 503 })
    return Response.json({ rate, currency: 'USD', isStatic: false }, { status: 201 })
  })
