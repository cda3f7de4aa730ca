import { type LocalServer, localServer } from '@bursar/testing'

/** A quote service that knows these rates; those it does not know cannot be had. `highest`: those of the last day, null where it fails. */
export const quoteServer = (rates: Record<string, number>, highest: Record<string, number | null> = {}): LocalServer =>
  localServer(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/internal/rates/highest/')) {
      const rate = highest[pathname.split('/').at(-1) ?? '']
      if (rate === undefined) return Response.json({ message: 'No rate' }, { status: 404 })
      if (rate === null) return Response.json({ message: 'Busy' }, { status: 503 })
      return Response.json({ rate, currency: 'USD', at: new Date().toISOString() })
    }
    const { assetCode } = (await request.json()) as { assetCode: string }
    const rate = rates[assetCode]
    if (rate === undefined) return Response.json({ message: 'No provider' }, { status: 503 })
    return Response.json({ rate, currency: 'USD', isStatic: false }, { status: 201 })
  })
