// An authorization server of the npm package oidc-provider, as the tests need it. It listens on a port of its own choice,
// says which in one line, and ends with its standard input.
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

const at = pathToFileURL(process.env.PROVIDER_MODULES + '/oidc-provider/lib/index.js');
const { default: Provider } = await import(at);
const life = Number(process.env.PROVIDER_LIFE);
const scope = 'openid offline_access tools';

const provider = new Provider(process.env.PROVIDER_ISSUER, {
  clients: [
    { client_id: 'given', client_secret: 'secret-of-the-given-client-0123456789', application_type: 'native', redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], scope },
    { client_id: 'resource', client_secret: 'secret-of-the-resource-0123456789', redirect_uris: [], grant_types: [], response_types: [] },
  ],
  scopes: ['openid', 'offline_access', 'tools'],
  cookies: { keys: ['a-key-for-cookies'] },
  features: {
    devInteractions: { enabled: true },
    introspection: { enabled: true },
    registration: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (ctx, resource) => ({ scope, audience: resource, accessTokenTTL: life, accessTokenFormat: 'opaque' }),
    },
  },
  rotateRefreshToken: true,
  ttl: { AccessToken: life, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 3600, RefreshToken: 3600, Session: 3600 },
});
provider.proxy = true;
provider.on('server_error', (ctx, err) => console.error(err));

const server = createServer(provider.callback()).listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.resume().on('end', () => process.exit(0));
