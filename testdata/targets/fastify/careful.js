// The plant store with Fastify, made to keep the contract.
const { parse, isInteger } = require('lossless-json')

// No coercion, and an id keeps its digits: a double does not tell 2^63-1 from 2^63.
const fastify = require('fastify')({
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  clientErrorHandler (err, socket) {
    if (!socket.writable) return
    const body = JSON.stringify({ error: 400, message: err.message })
    socket.end(`HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`)
  }
})

fastify.register(require('@fastify/bearer-auth'), {
  keys: new Set([process.env.TOKEN]),
  errorResponse: (err) => ({ error: 401, message: err.message })
})

fastify.setErrorHandler((err, request, reply) => {
  const status = err.validation || !err.statusCode ? 400 : err.statusCode
  reply.code(status).send({ error: status, message: err.message })
})
fastify.setNotFoundHandler((request, reply) => {
  reply.code(404).send({ error: 404, message: 'not found' })
})

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const read = (request, body, done) => {
  let value
  try {
    value = parse(utf8.decode(body), null, { parseNumber: (text) => isInteger(text) ? BigInt(text) : Number(text) })
  } catch (err) {
    err.statusCode = 400
    return done(err)
  }
  done(null, value)
}
fastify.removeAllContentTypeParsers()
fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, read)

const text = { type: 'string' }
const plant = { type: 'object', required: ['name'], properties: { name: text, tag: text } }
const refuse = (message) => Object.assign(new Error(message), { statusCode: 400 })
const own = (object, name) => Object.prototype.hasOwnProperty.call(object, name)

fastify.register(async (app) => {
  app.post('/plants', { schema: { response: { 200: plant } } }, async (request) => {
    const body = request.body
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refuse('an object is required')
    if (!own(body, 'name') || typeof body.name !== 'string') throw refuse('name: a string is required')
    if (!own(body, 'id') || typeof body.id !== 'bigint' || body.id !== BigInt.asIntN(64, body.id)) throw refuse('id: an int64 is required')
    if (own(body, 'tag') && typeof body.tag !== 'string') throw refuse('tag: not a string')
    return own(body, 'tag') ? { name: body.name, tag: body.tag } : { name: body.name }
  })
})

fastify.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
