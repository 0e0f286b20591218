// Shows the contract that this service serves; nothing is fetched from elsewhere.

// Swagger UI takes a media type with "json" in its name for one JSON text, and would show a stream of
// lines as a quoted string.
const LinesAsTheyAre = () => ({
  afterLoad({ fn: { jsonSchema202012: samples } }) {
    const { getJsonSampleSchema: sample } = samples;
    samples.getJsonSampleSchema = (schema, config, mediaType, example) =>
      sample(schema, config, mediaType === "application/x-ndjson" ? "text/plain" : mediaType, example);
  },
});

window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#contract",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  validatorUrl: null,
  plugins: [LinesAsTheyAre],
});
